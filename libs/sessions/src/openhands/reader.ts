import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { emptySession, noCalls } from '../common/empty-session.js';
import type { FoundObject } from '../common/json-objects.js';
import { readObjects } from '../common/json-objects.js';
import { rawItems } from '../common/document.js';
import { SessionDraft } from '../common/session-draft.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';
import { baseName, listAt, objectAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { EventHistory } from './event-history.js';
import { SdkHistory } from './sdk-history.js';

/** Reads OpenHands: event lists and `output.jsonl` rows of V0, and events of the SDK with their token ids. */
export const openHandsReader: SessionReader = {
  name: 'openhands',
  description: 'OpenHands: V0 event lists and output.jsonl, SDK events (JSON lines, lists, one event a file)',
  detect: (head) => detectOpenHands(head),
  read: readOpenHands,
};

const SDK_KINDS: ReadonlySet<unknown> = new Set(['SystemPromptEvent', 'MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent', 'UserRejectObservation', 'Condensation', 'CondensationRequest', 'TokenEvent', 'ConversationStateUpdateEvent', 'PauseEvent']);

function detectOpenHands(head: Uint8Array): number {
  const { records, firstItem, members } = sniffHead(head);
  const items = [...records, ...(firstItem === undefined ? [] : [firstItem]), Object.fromEntries([...members].map(([key, value]) => [key, value.replace(/^"|"$/g, '')]))];
  if (items.some((item) => SDK_KINDS.has(item['kind']) && ('source' in item || 'id' in item))) return 0.95;
  if (items.some(isV0Event)) return 0.9;
  const first = firstItemOf(members.get('history'));
  if (first !== undefined && isV0Event(first)) return 0.95;
  return members.has('instance_id') && members.has('history') ? 0.8 : 0;
}

function isV0Event(item: JsonObject): boolean {
  return 'source' in item && 'message' in item && ('action' in item || 'observation' in item) && typeof item['kind'] !== 'string';
}

async function* readOpenHands(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const faults: Diagnostic[] = [];
  let events: { history: EventHistory | SdkHistory; draft: SessionDraft } | undefined;
  let rows = 0;
  let damaged = false;
  const onFault = (fault: Diagnostic): void => {
    faults.push(fault);
    damaged ||= fault.code === 'cut-record';
  };
  for await (const found of readObjects(source, context.signal, onFault)) {
    if (Array.isArray(found.value['history'])) {
      rows++;
      yield { ...rowSession(found, source.path, context.seenReplies), diagnostics: faults.splice(0) };
      continue;
    }
    events ??= historyFor(found.value, source.path, context.seenReplies);
    if (damaged) events.history.lost();
    damaged = false;
    events.history.add(found);
  }
  if (events !== undefined) {
    const session = events.history.build();
    yield { ...session, diagnostics: [...faults, ...session.diagnostics] };
  } else if (rows === 0 || faults.length > 0) yield emptySession('openhands', source.path, rows === 0 ? [...faults, noCalls(source.path, 'events')] : faults);
}

function historyFor(first: JsonObject, path: string, seen: Set<string>): { history: EventHistory | SdkHistory; draft: SessionDraft } {
  const draft = new SessionDraft({ reader: 'openhands', path, seen, id: baseName(path) });
  return { draft, history: typeof first['kind'] === 'string' ? new SdkHistory(draft) : new EventHistory(draft) };
}

/** A row of `output.jsonl`; older ones pair each action with its observation. */
function rowSession({ value, json, position, validUtf8, ordinal }: FoundObject, path: string, seen: Set<string>): Session {
  const id = text(value['instance_id']) ?? `${baseName(path)}#${ordinal}`;
  const draft = new SessionDraft({ reader: 'openhands', path, seen, id });
  const history = new EventHistory(draft);
  const items = listAt(value, 'history');
  for (const [index, raw] of rawItems(json, ['history']).entries()) {
    const item = items[index];
    const pair = Array.isArray(item) ? (item as readonly unknown[]) : [item];
    const texts = Array.isArray(item) ? rawItems(raw.json, []).map((each) => each.json) : [raw.json];
    for (const [place, event] of pair.entries()) if (isObject(event)) history.add({ value: event, json: texts[place] ?? '{}', position, validUtf8, ordinal: index });
  }
  const resolved = value['resolved'] ?? objectAt(objectAt(value, 'test_result'), 'report')['resolved'];
  draft.reward = typeof resolved === 'boolean' ? Number(resolved) : undefined;
  return history.build();
}
