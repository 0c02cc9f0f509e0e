import type { Diagnostic } from './diagnostics.js';
import type { JsonText, ToolDefinition } from './json.js';

/**
 * Who wrote a span.
 *
 * Only `sampled` can carry loss. `copied` was sampled, but in another call of the corpus; `demo` is an example shown to the model.
 */
export type Author = 'sampled' | 'user' | 'tool' | 'system' | 'harness' | 'other-agent' | 'demo' | 'copied' | 'summary';

/**
 * How far the recorded span is what the model wrote or saw.
 *
 * `bytes` exactly; `re-rendered` the same value in another spelling (parsed JSON); `summary-only` a digest of it;
 * `withheld` it existed and its text is gone; `damaged` part of it is lost or not encodable.
 */
export type Exactness = 'bytes' | 're-rendered' | 'summary-only' | 'withheld' | 'damaged';

interface Attributed {
  readonly author: Author;
  readonly exactness: Exactness;
}

/** A part of a message, in the order in which it was written. */
export type MessagePart =
  | (Attributed & { readonly kind: 'text'; readonly text: string })
  | (Attributed & { readonly kind: 'reasoning'; readonly text: string })
  | (Attributed & { readonly kind: 'tool-call'; readonly id?: string; readonly name: string; readonly arguments: JsonText })
  | (Attributed & { readonly kind: 'tool-result'; readonly toolCallId?: string; readonly text: string; readonly failed?: boolean })
  | (Attributed & { readonly kind: 'media'; readonly mediaType: string });

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A message as the model saw it, or wrote it. */
export interface SessionMessage {
  readonly role: Role;
  readonly parts: readonly MessagePart[];
  /** For an assistant message: the call that sampled it. */
  readonly callId?: string;
}

/**
 * A prompt as a path of messages that shares its prefix with earlier prompts: following `parent` from the head walks back to the first message.
 *
 * Two prompts share a message exactly when they share the node, so identity tells how much is new. Walk iteratively: paths are long.
 */
export interface PromptNode {
  readonly message: SessionMessage;
  readonly parent: PromptNode | undefined;
  /** Messages on the path, this one included. */
  readonly depth: number;
}

/** The messages of a prompt, first to last; an undefined head is an empty prompt. */
export function promptMessages(head: PromptNode | undefined): SessionMessage[] {
  const messages: SessionMessage[] = new Array<SessionMessage>(head?.depth ?? 0);
  for (let node = head; node !== undefined; node = node.parent) messages[node.depth - 1] = node.message;
  return messages;
}

/** The path that continues `parent` with one more message. */
export function extendPrompt(parent: PromptNode | undefined, message: SessionMessage): PromptNode {
  return { message, parent, depth: (parent?.depth ?? 0) + 1 };
}

/**
 * How far the prompt of a call is known.
 *
 * `exact` it was stored; `reconstructed` rebuilt by the harness's own rules; `approximate` a part is known to differ;
 * `unknown-prefix` messages before it are missing.
 */
export type PromptStatus = 'exact' | 'reconstructed' | 'approximate' | 'unknown-prefix';

export interface CallPrompt {
  readonly status: PromptStatus;
  /** Why it is not exact, in kebab-case: `system-prompt-unknown`, `missing-parent`, … */
  readonly reasons: readonly string[];
  readonly head: PromptNode | undefined;
}

/** Why sampling ended. `unknown` does not entitle the end-of-turn token to loss; `stop` and `tool-calls` do. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'aborted' | 'failed' | 'unknown';

/** Why something sampled is not trained, or something that looks sampled is not; the codes are open, these are the usual ones. */
export type ExclusionReason =
  | 'synthetic-reply'
  | 'retracted-reply'
  | 'damaged-reply'
  | 'not-encodable'
  | 'prompt-incomplete'
  | 'copied-reply'
  | 'weight-zero'
  | 'reasoning-withheld'
  | 'reasoning-not-rendered'
  | 'render-mismatch'
  | 'render-failed'
  | 'no-user-message'
  | 'empty-reply'
  | (string & {});

/** Ids and log-probs that the server returned for a call; they win over anything rendered. */
export interface RecordedTokens {
  /** Absent when only the output was recorded. */
  readonly promptIds?: readonly number[];
  readonly outputIds: readonly number[];
  /** nats, parallel to `outputIds` */
  readonly outputLogprobs?: readonly number[];
  /** 0 on output tokens that the model did not sample, such as tool replies between its turns; absent: all were. Parallel to `outputIds`. */
  readonly outputLossMask?: readonly number[];
}

/** Where a record begins. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly byteOffset: number;
}

/** One inference: the prompt that it saw and what it sampled. The unit of everything. */
export interface ModelCall {
  /** Unique in its session. */
  readonly id: string;
  /** The same in every file that holds the reply (resume, fork, copy), so that it trains once in a corpus. */
  readonly identity: string;
  /** The call whose prompt and reply this prompt continues. */
  readonly parentId?: string;
  /** The agent that made it: absent for the main one. */
  readonly agent?: { readonly id: string; readonly parentCallId?: string; readonly toolCallId?: string };
  readonly model?: string;
  readonly prompt: CallPrompt;
  /** What was sampled, in sampled order: text, reasoning and tool calls. */
  readonly sampled: readonly MessagePart[];
  readonly finishReason: FinishReason;
  /** False when no token of the reply may be trained; `lossReason` then says why. */
  readonly loss: boolean;
  readonly lossReason?: ExclusionReason;
  /** Loss weight of the reply, 1 by default. */
  readonly weight?: number;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  readonly tokens?: RecordedTokens;
  readonly position: SourcePosition;
}

/** Something that a reader knows, does not know, or was told by the user. */
export type Known<T> = { readonly status: 'known' | 'supplied'; readonly value: T } | { readonly status: 'unknown' };

/** What happened to the context between calls, in order. */
export interface ContextOperation {
  readonly kind: 'edit' | 'rewind' | 'fork' | 'retry' | 'compaction' | 'cleared-results' | 'subagent' | 'continuation';
  /** The first call that sees its effect, where there is one. */
  readonly callId?: string;
  readonly detail: string;
  readonly position: SourcePosition;
}

/** A recorded session: a tree of calls and what happened between them. */
export interface Session {
  readonly id: string;
  /** The reader that made it. */
  readonly reader: string;
  readonly files: readonly string[];
  readonly systemPrompt: Known<string>;
  readonly tools: Known<readonly ToolDefinition[]>;
  /** In the order of their first record; a parent stands before its children. */
  readonly calls: readonly ModelCall[];
  readonly operations: readonly ContextOperation[];
  readonly diagnostics: readonly Diagnostic[];
  readonly reward?: number;
}
