import { type Diagnostic, type ModelCall, type ReadContext, type Session, type SessionReader, type SourceFile } from '@turnwright/contracts';
import { langgraphOutput, type LanggraphMessage } from './agent-output.js';

/**
 * Reads JSON lines of finished LangGraph runs: `{"messages": [...], "id"?, "reward"?}`, or a bare list of messages.
 *
 * Messages as LangChain prints them: flat, `{"type", "data": {...}}`, or `{"id": [..., "AIMessage"], "kwargs": {...}}`. A line is a
 * session with one call, whose output is the whole response; what tools wrote in it has mask 0.
 */
export const langgraphReader: SessionReader = {
  name: 'langgraph',
  description: 'LangGraph message lists with prompt_ids and response_mask in the metadata of their ai messages, as verl writes them.',
  detect(head) {
    const text = new TextDecoder().decode(head);
    return text.includes('"response_metadata"') && text.includes('"prompt_ids"') && text.includes('"response_mask"') ? 0.95 : 0;
  },
  read,
};

async function* read(file: SourceFile, context: ReadContext): AsyncIterable<Session> {
  let ordinal = 0;
  for await (const line of linesOf(file)) {
    if (line.text.trim() === '') continue;
    const parsed = parseLine(line.text);
    yield sessionOf(file.path, ordinal++, line, parsed, context);
  }
}

interface Line {
  readonly text: string;
  readonly line: number;
  readonly byteOffset: number;
}

async function* linesOf(file: SourceFile): AsyncIterable<Line> {
  let rest = Buffer.alloc(0);
  let [line, byteOffset] = [0, 0];
  for await (const chunk of file.stream()) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      yield { text: rest.toString('utf8', 0, end), line, byteOffset };
      rest = rest.subarray(end + 1);
      line += 1;
      byteOffset += end + 1;
    }
  }
  yield { text: rest.toString('utf8'), line, byteOffset };
}

interface Row {
  readonly messages: readonly LanggraphMessage[];
  readonly id?: string;
  readonly reward?: number;
  readonly fault?: string;
}

function parseLine(text: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { messages: [], fault: error instanceof Error ? error.message : String(error) };
  }
  if (Array.isArray(value)) return { messages: value.map(messageOf) };
  const row = mapOf(value);
  const { messages, id, reward } = row;
  if (!Array.isArray(messages)) return { messages: [], fault: 'no list of messages' };
  return { messages: messages.map(messageOf), ...(typeof id === 'string' ? { id } : {}), ...(typeof reward === 'number' ? { reward } : {}) };
}

const TYPES: Readonly<Record<string, string>> = { AIMessage: 'ai', HumanMessage: 'human', ToolMessage: 'tool', SystemMessage: 'system' };

function messageOf(value: unknown): LanggraphMessage {
  const message = mapOf(value);
  const inner = mapOf(message['data'] ?? message['kwargs'] ?? message);
  const path: unknown = message['id'];
  const constructed = Array.isArray(path) ? TYPES[String(path.at(-1))] : undefined;
  const metadata = inner['response_metadata'];
  return { type: constructed ?? String(message['type'] ?? inner['type'] ?? ''), ...(metadata === undefined ? {} : { responseMetadata: mapOf(metadata) }) };
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function sessionOf(path: string, ordinal: number, line: Line, row: Row, { seenReplies }: ReadContext): Session {
  const id = row.id ?? `${path}#${String(ordinal)}`;
  const { output, aborted = row.fault } = langgraphOutput(row.messages);
  const position = { file: path, line: line.line, byteOffset: line.byteOffset };
  const copied = seenReplies.has(id);
  seenReplies.add(id);
  const lossReason = aborted !== undefined ? 'aborted-trajectory' : copied ? 'copied-reply' : undefined;
  const call: ModelCall = {
    id: `${id}/response`,
    identity: id,
    prompt: { status: 'exact', reasons: [], head: undefined },
    sampled: [],
    finishReason: aborted === undefined ? 'stop' : 'aborted',
    loss: lossReason === undefined,
    ...(lossReason === undefined ? {} : { lossReason }),
    tokens: { promptIds: output.promptIds, outputIds: output.responseIds, outputLossMask: output.responseMask },
    position,
  };
  const diagnostics: Diagnostic[] = aborted === undefined ? [] : [{ severity: 'warning', code: 'aborted-trajectory', message: `No trajectory can be read from the messages: ${aborted}`, ...position, callId: call.id }];
  return { id, reader: 'langgraph', files: [path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [call], operations: [], diagnostics, ...(row.reward === undefined ? {} : { reward: row.reward }) };
}
