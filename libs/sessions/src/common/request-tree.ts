import type { SessionMessage } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';
import { withAuthor } from './parts.js';
import type { PromptPath } from './prompt-path.js';
import { contentKey, nextFingerprint, say } from './prompt-path.js';
import type { Reply, SessionDraft } from './session-draft.js';

/**
 * Prompts of a log that stores each request whole.
 *
 * Requests share what they have in common, and a reply that comes back in a later one is the call that sampled it: found as it was, by the
 * ids of its tool calls, or by its text, since clients drop reasoning and print arguments anew.
 */
export class RequestTree {
  private readonly paths = new Map<string, PromptPath>();
  private readonly replies = new Map<string, string>();

  constructor(private readonly draft: SessionDraft) {}

  /** The path of a request's messages, behind `start`. */
  follow(start: PromptPath, messages: readonly SessionMessage[]): PromptPath {
    let path = start;
    for (const message of messages) path = this.step(path, message);
    return { ...path, status: start.status, reasons: start.reasons };
  }

  reply(path: PromptPath, reply: Reply): void {
    const before = this.draft.calls.length;
    const after = this.draft.reply(path, reply);
    this.paths.set(after.fingerprint, after);
    const callId = this.draft.calls[before]?.id;
    if (callId !== undefined) for (const key of keysOf({ role: 'assistant', parts: reply.sampled })) this.replies.set(key, callId);
  }

  private step(path: PromptPath, message: SessionMessage): PromptPath {
    const known = this.paths.get(nextFingerprint(path.fingerprint, message));
    if (known !== undefined && message.parts.length > 0) return known;
    const next = message.role === 'assistant' ? this.assistant(path, message) : say(path, message);
    this.paths.set(next.fingerprint, next);
    return next;
  }

  private assistant(path: PromptPath, message: SessionMessage): PromptPath {
    const callId = keysOf(message).map((key) => this.replies.get(key)).find((id) => id !== undefined);
    const parts = callId === undefined ? withAuthor(message.parts, 'copied') : message.parts;
    const said = { role: 'assistant', parts, ...(callId === undefined ? {} : { callId }) } as const;
    return { ...path, head: extendPrompt(path.head, said), parentId: callId, fingerprint: nextFingerprint(path.fingerprint, message) };
  }
}

function keysOf({ parts }: SessionMessage): string[] {
  const ids = parts.flatMap((part) => (part.kind === 'tool-call' && part.id !== undefined ? [part.id] : []));
  const names = parts.flatMap((part) => (part.kind === 'tool-call' ? [part.name] : []));
  const written = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('').trim();
  return [contentKey(parts), ...(ids.length > 0 ? [`ids ${JSON.stringify([ids, names, written])}`] : [`text ${written}`])];
}
