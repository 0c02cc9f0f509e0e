import type { MessagePart } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { authorOf } from '../common/harness-openers.js';
import { summarisedReasoning, textPart } from '../common/parts.js';
import { emptyPath, say, weaken } from '../common/prompt-path.js';
import type { SessionDraft } from '../common/session-draft.js';
import { listAt, objectsAt, text } from '../common/values.js';
import { CODEX_OPENERS } from './harness-text.js';
import type { RolloutRecord } from './records.js';

type Event = { readonly by: 'user' | 'model'; readonly parts: readonly MessagePart[]; readonly id?: string; readonly record: RolloutRecord } | { readonly by: 'tool' };

/**
 * What the user interface was told, for files that hold nothing else.
 *
 * Where items are stored these events repeat them and are not used. Alone they hold texts but no calls, so a reply near a tool is not trained.
 */
export class UiTranscript {
  private readonly events: Event[] = [];

  add(item: JsonObject, record: RolloutRecord): void {
    const event = eventOf(item, record);
    if (event !== undefined) this.events.push(event);
  }

  replay(draft: SessionDraft, model: string | undefined): void {
    let path = weaken(emptyPath(), 'approximate', 'interface-events-only');
    const usesTools = this.events.some((event) => event.by === 'tool');
    let open: { parts: MessagePart[]; id: string | undefined; record: RolloutRecord } | undefined;
    const close = (): void => {
      if (open === undefined) return;
      path = draft.reply(path, { ...(open.id === undefined ? {} : { id: open.id, serverId: open.id }), sampled: open.parts, finishReason: usesTools ? 'unknown' : 'stop', position: open.record.position, ...(usesTools ? { lossReason: 'calls-not-recorded' } : {}), ...(model === undefined ? {} : { model }) });
      open = undefined;
    };
    for (const event of this.events) {
      if (event.by === 'model') {
        open ??= { parts: [], id: event.id, record: event.record };
        open.parts.push(...event.parts);
      } else {
        close();
        if (event.by === 'user') path = say(path, { role: 'user', parts: event.parts });
      }
    }
    close();
  }
}

const TOOL_ITEMS = /^(?:command_?execution|file_?change|mcp_?tool_?call|web_?search|exec_command_(?:begin|end)|patch_apply_(?:begin|end)|mcp_tool_call_(?:begin|end)|dynamic_tool_call_request|collab_?agent_?tool_?call)$/i;

function eventOf(item: JsonObject, record: RolloutRecord): Event | undefined {
  const kind = text(item['type']) ?? '';
  const id = text(item['id']);
  const named = id === undefined ? {} : { id };
  const written = text(item['message']) ?? text(item['text']) ?? objectsAt(item, 'content').flatMap(({ item: block }) => text(block['text']) ?? []).join('');
  if (/^(?:user_?message)$/i.test(kind)) return { by: 'user', parts: [textPart(written, authorOf(written, CODEX_OPENERS))], record };
  // The stream tells of an item when it starts and when it ends.
  if (record.payload['type'] === 'item.started' || record.payload['type'] === 'item.updated' || record.payload['type'] === 'item_started') return undefined;
  if (/^(?:agent_?message)$/i.test(kind)) return { by: 'model', parts: [textPart(written, 'sampled')], ...named, record };
  if (/^(?:agent_)?reasoning$/i.test(kind)) {
    const summary = written === '' ? listAt(item, 'summary_text').filter((part) => typeof part === 'string').join('\n\n') : written;
    return { by: 'model', parts: [summarisedReasoning(summary)], ...named, record };
  }
  return TOOL_ITEMS.test(kind) ? { by: 'tool' } : undefined;
}
