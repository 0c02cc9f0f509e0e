import type { CallPrompt, Known, PromptNode, SessionMessage, SourceFile, ToolDefinition } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';
import type { RecordContent } from './content.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { Reply } from './replies.js';
import { firstLine } from './replies.js';
import type { LoggedRequest, RequestLog } from './request-log.js';
import type { RequestShape } from './request-shapes.js';
import { known, loadShapes } from './request-shapes.js';
import type { WireMessages } from './wire-messages.js';
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
  const shapes = await loadShapes(source, file, new Set([...log.requests.values()].flatMap((request) => request.shapeHash ?? [])));
  const wanted = new Set([...log.requests.values()].flatMap((request) => request.tail));
  const messages = await loadWireMessages(source, { file, entries, replies, contents, callIdOf }, wanted);
  const main = logged.find((reply) => reply.agent === '') ?? logged[0];
  const shape = main === undefined ? undefined : shapes.get(requestOf(log, main)?.shapeHash ?? '');
  const chains = new RequestChains(log, messages);
  return {
    systemPrompt: known(shape?.systemPrompt),
    tools: known(shape?.tools),
    promptOf: (reply) => {
      const request = requestOf(log, reply);
      const own = shapes.get(request?.shapeHash ?? '');
      const id = firstLine(reply).requestRef;
      return request === undefined || own === undefined || id === undefined ? undefined : promptOf(chains, id, own, shape);
    },
  };
}

function requestOf(log: RequestLog, reply: Reply): LoggedRequest | undefined {
  return log.requests.get(firstLine(reply).requestRef ?? '');
}

function promptOf(chains: RequestChains, id: string, own: RequestShape, main: RequestShape | undefined): CallPrompt | undefined {
  const head = chains.head(id, own.systemMessage);
  if (head === undefined) return undefined;
  // A session has one list of tools; ToolSearch and subagents use others.
  if (own.toolsKey !== main?.toolsKey) return { status: 'approximate', reasons: ['tools-differ'], head };
  // A lone surrogate in arguments reached the wire as U+FFFD, while arguments here keep the escape.
  return chains.holdsLoneSurrogate(head) ? { status: 'approximate', reasons: ['lone-surrogate'], head } : { status: 'exact', reasons: [], head };
}

/** Requests as paths that share nodes: a request is the first messages of its base and a tail. */
class RequestChains {
  private readonly nodes = new Map<PromptNode | undefined, Map<SessionMessage, PromptNode>>();
  private readonly hashes = new Map<string, readonly string[] | undefined>();
  private readonly tainted = new Map<PromptNode, boolean>();

  constructor(private readonly log: RequestLog, private readonly messages: WireMessages) {}

  head(id: string, system: SessionMessage | undefined): PromptNode | undefined {
    const hashes = this.hashesOf(id);
    let head = system === undefined ? undefined : this.node(undefined, system);
    for (const hash of hashes ?? []) {
      const messages = this.messages.get(hash);
      if (messages === undefined) return undefined;
      for (const message of messages) head = this.node(head, message);
    }
    return hashes === undefined ? undefined : head;
  }

  holdsLoneSurrogate(head: PromptNode): boolean {
    const path: PromptNode[] = [];
    let node: PromptNode | undefined = head;
    while (node !== undefined && !this.tainted.has(node)) {
      path.push(node);
      node = node.parent;
    }
    let tainted = node === undefined ? false : (this.tainted.get(node) ?? false);
    for (const each of path.reverse()) {
      tainted ||= each.message.parts.some((part) => part.kind === 'tool-call' && /\\ud[89a-f]/.test(part.arguments));
      this.tainted.set(each, tainted);
    }
    return tainted;
  }

  /** Hashes of all messages of a request; undefined when its base is not in the file. Walks bases iteratively, since they are long. */
  private hashesOf(id: string): readonly string[] | undefined {
    const open: string[] = [];
    for (let at: string | undefined = id; at !== undefined && !this.hashes.has(at) && !open.includes(at); at = this.log.requests.get(at)?.base) open.push(at);
    for (const each of open.reverse()) {
      const request = this.log.requests.get(each);
      const base = request?.base === undefined ? [] : this.hashes.get(request.base);
      this.hashes.set(each, request === undefined || base === undefined || base.length < request.keep ? undefined : [...base.slice(0, request.keep), ...request.tail]);
    }
    return this.hashes.get(id);
  }

  private node(head: PromptNode | undefined, message: SessionMessage): PromptNode {
    let next = this.nodes.get(head);
    if (next === undefined) this.nodes.set(head, (next = new Map()));
    let node = next.get(message);
    if (node === undefined) next.set(message, (node = extendPrompt(head, message)));
    return node;
  }
}
