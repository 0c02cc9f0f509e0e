import type { CallPrompt, Known, SourceFile, ToolDefinition } from '@turnwright/contracts';
import type { RecordContent } from './content.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { Reply } from './replies.js';
import { firstLine } from './replies.js';
import { RequestChains, unresolved } from './request-chains.js';
import type { LoggedRequest, RequestLog } from './request-log.js';
import type { RequestShape } from './request-shapes.js';
import { known, loadShapes } from './request-shapes.js';
import { loadWireMessages } from './wire-messages.js';

/** Prompts that the file logged itself. */
export interface ExactPrompts {
  readonly systemPrompt: Known<string>;
  readonly tools: Known<readonly ToolDefinition[]>;
  promptOf(reply: Reply): CallPrompt | undefined;
}

const NONE: ExactPrompts = { systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, promptOf: () => undefined };

/** Reads the prompts of replies whose request was logged and whose every message is in the file; other replies keep what was rebuilt. */
export async function loadExactPrompts(source: SourceFile, file: FileIndex, entries: readonly Entry[], replies: readonly Reply[], contents: ReadonlyMap<number, RecordContent>, callIdOf: (reply: Reply) => string | undefined): Promise<ExactPrompts> {
  const log = file.requests;
  const logged = replies.filter((reply) => requestOf(log, reply) !== undefined);
  if (logged.length === 0) return NONE;
  const requests = requestsBehind(log, logged);
  const shapes = await loadShapes(source, file, new Set(requests.flatMap((request) => request.shapeHash ?? [])));
  const messages = await loadWireMessages(source, { file, entries, replies, contents, callIdOf }, new Set(requests.flatMap((request) => request.tail)));
  const main = logged.find((reply) => reply.agent === '') ?? logged[0];
  const shape = main === undefined ? undefined : shapes.get(requestOf(log, main)?.shapeHash ?? '');
  // Requests of one conversation share nodes as long as their system prompt stays.
  const chains = new Map([...shapes].map(([hash, each]) => [hash, new RequestChains(log, messages, each.systemMessage)]));
  return {
    systemPrompt: known(shape?.systemPrompt),
    tools: known(shape?.tools),
    promptOf: (reply) => {
      const hash = requestOf(log, reply)?.shapeHash ?? '';
      const own = shapes.get(hash);
      const chain = chains.get(hash);
      return own === undefined || chain === undefined ? undefined : promptOf(chain, firstLine(reply).requestRef ?? '', own, shape);
    },
  };
}

function requestOf(log: RequestLog, reply: Reply): LoggedRequest | undefined {
  return log.requests.get(firstLine(reply).requestRef ?? '');
}

function requestsBehind(log: RequestLog, replies: readonly Reply[]): LoggedRequest[] {
  const ids = new Set<string>();
  for (const reply of replies) for (const id of unresolved(log, firstLine(reply).requestRef, ids)) ids.add(id);
  return [...ids].flatMap((id) => log.requests.get(id) ?? []);
}

function promptOf(chain: RequestChains, id: string, own: RequestShape, main: RequestShape | undefined): CallPrompt | undefined {
  const head = chain.head(id);
  if (head === undefined) return undefined;
  // A session has one list of tools; ToolSearch and subagents use others.
  if (own.toolsKey !== main?.toolsKey) return { status: 'approximate', reasons: ['tools-differ'], head };
  return chain.holdsLoneSurrogate(head) ? { status: 'approximate', reasons: ['lone-surrogate'], head } : { status: 'exact', reasons: [], head };
}
