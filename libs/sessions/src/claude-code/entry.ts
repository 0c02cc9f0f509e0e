import type { FoundRecord, JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

/** `parent` of a record that starts a conversation. */
export const ROOT = -1;
/** `parent` of a record whose parent is not in the file. */
export const MISSING = -2;

/** What is kept of a record between the two passes: its place in the file and in the tree, and never its text. */
export interface Entry {
  readonly index: number;
  readonly line: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** `user`, `assistant`, `system`, `attachment`, `damaged`, and whatever else the harness writes. */
  readonly kind: string;
  readonly subtype: string | undefined;
  readonly uuid: string | undefined;
  /** null at a root; undefined where the record has no such key, as in stream-json logs. */
  readonly parentUuid: string | null | undefined;
  readonly sessionId: string;
  readonly sidechain: boolean;
  /** The message is `data.message`, as in agent_progress records. */
  readonly nested: boolean;
  readonly messageId: string | undefined;
  readonly requestId: string | undefined;
  /** The api-request record that asked for this reply. */
  readonly requestRef: string | undefined;
  readonly model: string | undefined;
  readonly stopReason: string | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  readonly toolUseIds: readonly string[];
  readonly toolResultIds: readonly string[];
  /** The tool call that started the agent of this record, where the record names it. */
  readonly spawnedBy: string | undefined;
  /** What a boundary lists: preserved uuids, cleared tool ids, or retracted uuids. */
  readonly listed: readonly string[];
  /** The record after which the preserved messages of a compaction stand. */
  readonly anchorUuid: string | undefined;
  readonly forked: boolean;
  readonly synthetic: boolean;
  readonly apiError: boolean;
  readonly aborted: boolean;
  readonly summary: boolean;
  readonly validUtf8: boolean;
  /** `''` for the main agent. */
  agent: string;
  /** Index of the parent entry, ROOT or MISSING; always below `index`. */
  parent: number;
}

/** Members that a terminal shows and no model saw; much of a file's bytes. */
export const DISPLAY_DATA = ['toolUseResult', 'normalizedMessages'] as const;

const NONE: readonly string[] = [];

/** Reads the fields that the tree needs; by hand, since a schema over every record would dominate the first pass. */
export function entryOf(found: FoundRecord, record: JsonObject, index: number, sessionId: string): Entry {
  const nestedRecord = nestedMessage(record);
  const carrier = nestedRecord ?? record;
  const message = isObject(carrier['message']) ? carrier['message'] : {};
  const kind = text(carrier['type']) ?? 'unknown';
  const content = Array.isArray(message['content']) ? (message['content'] as readonly unknown[]).filter(isObject) : [];
  const sidechain = record['isSidechain'] === true || nestedRecord !== undefined || typeof record['parent_tool_use_id'] === 'string';
  const data = isObject(record['data']) ? record['data'] : {};
  return {
    index, line: found.line, byteOffset: found.byteOffset, byteLength: found.byteLength,
    kind, subtype: text(record['subtype']),
    uuid: text(carrier['uuid']),
    parentUuid: nestedRecord === undefined ? parentOf(record) : undefined,
    sessionId, sidechain, nested: nestedRecord !== undefined,
    messageId: text(message['id']),
    requestId: text(carrier['requestId']) ?? text(carrier['request_id']),
    requestRef: text(record['requestRef']),
    model: text(message['model']),
    stopReason: text(message['stop_reason']),
    usage: usageOf(message['usage']),
    toolUseIds: kind === 'assistant' ? idsOf(content, 'tool_use', 'id') : NONE,
    toolResultIds: kind === 'user' ? idsOf(content, 'tool_result', 'tool_use_id') : NONE,
    spawnedBy: nestedRecord === undefined ? text(record['parent_tool_use_id']) : text(record['parentToolUseID']),
    listed: listedBy(record),
    anchorUuid: anchorOf(record),
    forked: isObject(record['forkedFrom']),
    synthetic: message['model'] === '<synthetic>' || record['isApiErrorMessage'] === true || record['is_api_error_message'] === true,
    apiError: record['isApiErrorMessage'] === true || record['is_api_error_message'] === true,
    aborted: record['isAbortedMidStream'] === true || record['aborted'] === true,
    summary: record['isCompactSummary'] === true,
    validUtf8: found.validUtf8,
    agent: sidechain ? text(record['agentId']) ?? text(data['agentId']) ?? text(record['parent_tool_use_id']) ?? '' : '',
    parent: ROOT,
  };
}

/** A piece of a record: what can still be read in it says where it stood and what depends on it. */
export function damagedEntry(found: FoundRecord, index: number, sessionId: string): Entry {
  const head = found.text.slice(0, 4096);
  const value = (key: string): string | undefined => new RegExp(`"${key}" ?: ?"([^"\\\\]+)"`).exec(head)?.[1];
  const kind = value('type');
  // Records of these kinds never reach a prompt, so nothing depends on them.
  const harmless = kind !== undefined && ['progress', 'system', 'file-history-snapshot', 'queue-operation', 'summary', 'last-prompt'].includes(kind);
  return {
    index, line: found.line, byteOffset: found.byteOffset, byteLength: found.byteLength,
    kind: harmless ? 'harmless' : 'damaged', subtype: undefined,
    uuid: undefined, parentUuid: value('parentUuid'),
    sessionId: value('sessionId') ?? sessionId,
    sidechain: /"isSidechain" ?: ?true/.test(head), nested: false,
    messageId: /"message" ?: ?\{(?:"model" ?: ?"[^"]*", ?)?"id" ?: ?"([^"\\]+)"/.exec(head)?.[1],
    requestId: undefined, requestRef: undefined, model: undefined, stopReason: undefined, usage: undefined,
    toolUseIds: NONE, toolResultIds: NONE, spawnedBy: undefined, listed: NONE, anchorUuid: undefined,
    forked: false, synthetic: false, apiError: false, aborted: false, summary: false, validUtf8: true,
    agent: value('agentId') ?? '', parent: ROOT,
  };
}

/** A string, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** agent_progress (2.1) wraps one message of a subagent; `normalizedMessages` beside it repeats all earlier ones and is ignored. */
function nestedMessage(record: JsonObject): JsonObject | undefined {
  const data = record['data'];
  if (record['type'] !== 'progress' || !isObject(data) || data['type'] !== 'agent_progress') return undefined;
  const nested = data['message'];
  return isObject(nested) && isObject(nested['message']) ? nested : undefined;
}

function parentOf(record: JsonObject): string | null | undefined {
  const parent = record['parentUuid'];
  return parent === null || parent === '' ? null : text(parent);
}

/** The prompt's tokens count cached ones too. */
function usageOf(usage: unknown): Entry['usage'] {
  if (!isObject(usage)) return undefined;
  const count = (key: string): number => (typeof usage[key] === 'number' ? usage[key] : 0);
  return { inputTokens: count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens'), outputTokens: count('output_tokens') };
}

function idsOf(content: readonly JsonObject[], type: string, key: string): readonly string[] {
  const ids = content.filter((block) => block['type'] === type).flatMap((block) => text(block[key]) ?? []);
  return ids.length === 0 ? NONE : ids;
}

function listedBy(record: JsonObject): readonly string[] {
  const compact = isObject(record['compactMetadata']) ? record['compactMetadata'] : {};
  const preserved = isObject(compact['preservedMessages']) ? compact['preservedMessages'] : {};
  const segment = isObject(compact['preservedSegment']) ? compact['preservedSegment'] : {};
  const micro = isObject(record['microcompactMetadata']) ? record['microcompactMetadata'] : {};
  const uuids = strings(preserved['allUuids']) ?? strings(preserved['uuids']);
  if (uuids !== undefined) return uuids;
  const ends = [text(segment['headUuid']), text(segment['tailUuid'])];
  // The two ends of a segment: the records between them are found when the tree is known.
  if (ends[0] !== undefined && ends[1] !== undefined) return ['segment', ends[0], ends[1]];
  return strings(micro['compactedToolIds']) ?? strings(record['retractedMessageUuids']) ?? strings(record['supersedesUuids']) ?? NONE;
}

function anchorOf(record: JsonObject): string | undefined {
  const compact = isObject(record['compactMetadata']) ? record['compactMetadata'] : {};
  const preserved = isObject(compact['preservedMessages']) ? compact['preservedMessages'] : compact['preservedSegment'];
  return isObject(preserved) ? text(preserved['anchorUuid']) : undefined;
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.filter((item): item is string => typeof item === 'string') : undefined;
}
