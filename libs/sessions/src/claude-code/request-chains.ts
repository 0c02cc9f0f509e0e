import type { PromptNode, SessionMessage } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';
import type { LoggedRequest, RequestLog } from './request-log.js';
import type { WireMessages } from './wire-messages.js';

/**
 * Logged requests as paths that share nodes: a request is the first `keep` messages of its base, then its tail.
 *
 * Only the nodes of tails are kept, so that a long session costs what it adds and not turns times messages.
 */
export class RequestChains {
  private readonly nodes = new Map<PromptNode | undefined, Map<SessionMessage, PromptNode>>();
  /** The node after each tail message, by request; undefined when a message of the request is not in the file. */
  private readonly tails = new Map<string, readonly PromptNode[] | undefined>();
  private readonly tainted = new Map<PromptNode, boolean>();

  constructor(private readonly log: RequestLog, private readonly messages: WireMessages, private readonly system: SessionMessage | undefined) {}

  /** The whole prompt of a request, or undefined when a message of it is missing. */
  head(id: string): PromptNode | undefined {
    for (const each of [...unresolved(this.log, id, this.tails)].reverse()) this.tails.set(each, this.resolve(this.log.requests.get(each)));
    const request = this.log.requests.get(id);
    const tail = this.tails.get(id);
    if (request === undefined || tail === undefined) return undefined;
    return tail.at(-1) ?? this.nodeAfter(request.base, request.keep);
  }

  /** True when arguments on the path hold a lone surrogate, which the wire had as U+FFFD and arguments here keep as an escape. */
  holdsLoneSurrogate(head: PromptNode): boolean {
    const path: PromptNode[] = [];
    let node: PromptNode | undefined = head;
    for (; node !== undefined && !this.tainted.has(node); node = node.parent) path.push(node);
    let tainted = node !== undefined && this.tainted.get(node) === true;
    for (const each of path.reverse()) {
      tainted ||= each.message.parts.some((part) => part.kind === 'tool-call' && /\\ud[89a-f]/.test(part.arguments));
      this.tainted.set(each, tainted);
    }
    return tainted;
  }

  private resolve(request: LoggedRequest | undefined): readonly PromptNode[] | undefined {
    if (request === undefined) return undefined;
    let head = request.keep === 0 ? this.start() : this.nodeAfter(request.base, request.keep);
    if (request.keep > 0 && head === undefined) return undefined;
    const nodes: PromptNode[] = [];
    for (const hash of request.tail) {
      for (const message of this.messages.get(hash) ?? []) head = this.node(head, message);
      if (head === undefined || !this.messages.has(hash)) return undefined;
      nodes.push(head);
    }
    return nodes;
  }

  /** The node after the first `count` messages of a request; mostly in its own tail or its base's. */
  private nodeAfter(id: string | undefined, count: number): PromptNode | undefined {
    for (let at = id, left = this.log.requests.size; at !== undefined && left > 0; left--) {
      const request = this.log.requests.get(at);
      if (request === undefined || count > request.keep) return this.tails.get(at)?.[count - (request?.keep ?? 0) - 1];
      at = request.base;
    }
    return undefined;
  }

  private start(): PromptNode | undefined {
    return this.system === undefined ? undefined : this.node(undefined, this.system);
  }

  private node(head: PromptNode | undefined, message: SessionMessage): PromptNode {
    let next = this.nodes.get(head);
    if (next === undefined) this.nodes.set(head, (next = new Map()));
    let node = next.get(message);
    if (node === undefined) next.set(message, (node = extendPrompt(head, message)));
    return node;
  }
}

/** A request and its bases, as far as `done` lacks them; the request first. */
export function unresolved(log: RequestLog, id: string | undefined, done: { has(id: string): boolean }): Set<string> {
  const open = new Set<string>();
  for (let at = id; at !== undefined && !done.has(at) && !open.has(at); at = log.requests.get(at)?.base) open.add(at);
  return open;
}
