import type { FinishReason, MessagePart, RecordedTokens, SourcePosition } from '@turnwright/contracts';
import { itemOf } from '../codex/item.js';
import type { JsonObject } from '../json-lines/records.js';
import type { PromptPath } from '../common/prompt-path.js';
import { say } from '../common/prompt-path.js';
import type { Reply, SessionDraft } from '../common/session-draft.js';
import { text } from '../common/values.js';

interface OpenReply {
  readonly parts: MessagePart[];
  readonly position: SourcePosition;
  tokens: RecordedTokens | undefined;
  incomplete: boolean;
}

/** Follows Responses items: a run of sampled ones between outputs and messages is one reply. */
export class ItemRun {
  private open: OpenReply | undefined;

  constructor(private readonly draft: SessionDraft, public path: PromptPath, private readonly common: Pick<Reply, 'model' | 'lossReason' | 'weight'> = {}) {}

  /** `asContext`: what it holds was sampled before, in another call. */
  add(item: JsonObject, json: string, position: SourcePosition, validUtf8: boolean, asContext: boolean): void {
    const found = itemOf('type' in item ? item : { type: 'message', ...item }, { json, path: [], validUtf8 });
    if (found.kind === 'sampled' && asContext) this.path = say(this.path, { role: 'assistant', parts: found.parts.map((part) => ({ ...part, author: 'copied' })) });
    else if (found.kind === 'sampled') {
      const tokens = itemTokens(item);
      // Items of one reply have the same prompt; another one means another reply.
      if (this.open?.tokens?.promptIds !== undefined && tokens?.promptIds !== undefined && tokens.promptIds.length !== this.open.tokens.promptIds.length) this.close('stop');
      this.open ??= { parts: [], position, tokens: undefined, incomplete: false };
      this.open.parts.push(...found.parts);
      this.open.tokens ??= tokens;
      this.open.incomplete ||= found.incomplete;
    } else if (found.kind === 'seen') {
      this.close(found.message.role === 'tool' ? 'tool-calls' : 'stop');
      this.path = say(this.path, found.message);
    }
  }

  close(reason: FinishReason, extra: Pick<Reply, 'usage' | 'id'> = {}): void {
    if (this.open === undefined) return;
    const { parts, position, tokens, incomplete } = this.open;
    this.open = undefined;
    const calls = parts.some((part) => part.kind === 'tool-call');
    this.path = this.draft.reply(this.path, { sampled: parts, position, finishReason: incomplete ? 'length' : calls ? 'tool-calls' : reason, ...this.common, ...extra, ...(tokens === undefined ? {} : { tokens }) });
  }
}

function itemTokens(item: JsonObject): RecordedTokens | undefined {
  const outputIds = numbers(item['generation_token_ids']);
  if (outputIds === undefined || outputIds.length === 0) return undefined;
  const promptIds = numbers(item['prompt_token_ids']);
  const logprobs = numbers(item['generation_log_probs']);
  return { ...(promptIds === undefined || promptIds.length === 0 ? {} : { promptIds }), outputIds, ...(logprobs?.length === outputIds.length ? { outputLogprobs: logprobs } : {}) };
}

function numbers(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = (value as readonly unknown[]).filter((each): each is number => typeof each === 'number');
  return found.length === value.length ? found : undefined;
}

/** A model's name, as replies take it. */
export function modelField(value: unknown): { readonly model?: string } {
  const model = text(value);
  return model === undefined ? {} : { model };
}
