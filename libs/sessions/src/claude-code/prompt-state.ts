import type { PromptNode } from '@turnwright/contracts';
import type { Reply } from './replies.js';

/** Replies that a prompt holds, last first. */
export interface ReplyLink {
  readonly reply: Reply;
  readonly previous: ReplyLink | undefined;
}

/** A prompt while it is built; values, so that branches share what they have in common. */
export interface PromptState {
  readonly head: PromptNode | undefined;
  readonly replies: ReplyLink | undefined;
  /** The reply that the prompt continues; none at a root and after a compaction. */
  readonly continued: Reply | undefined;
  /** Messages before it are not in the file. */
  readonly unknownPrefix: boolean;
  /** A record that belongs here is damaged. */
  readonly incomplete: boolean;
  /** Something here was seen in another form. */
  readonly approximate: boolean;
  readonly reasons: readonly string[];
}

/** The prompt of a conversation's first call, before its first message. */
export const EMPTY_PROMPT: PromptState = { head: undefined, replies: undefined, continued: undefined, unknownPrefix: false, incomplete: false, approximate: false, reasons: [] };

/** The state with one more reason, named once. */
export function because(state: PromptState, flag: 'unknownPrefix' | 'incomplete' | 'approximate', reason: string): PromptState {
  const reasons = state.reasons.includes(reason) ? state.reasons : [...state.reasons, reason];
  return { ...state, [flag]: true, reasons };
}

/** True when a reply of the prompt made this tool call. */
export function holdsToolCall(state: PromptState, toolCallId: string): boolean {
  for (let link = state.replies; link !== undefined; link = link.previous) {
    if (link.reply.lines.some((line) => line.toolUseIds.includes(toolCallId))) return true;
  }
  return false;
}
