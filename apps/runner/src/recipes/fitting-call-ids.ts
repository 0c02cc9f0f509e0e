import { createHash } from 'node:crypto';
import { extendPrompt, type CallIds, type MessagePart, type PromptNode, type Session } from '@turnwright/contracts';

/**
 * The session with ids of calls as its new model writes them, in calls and results alike.
 *
 * Where the id is part of what is sampled (Kimi K2), or the chat template refuses any other (Mistral), ids of another harness would teach
 * the wrong thing, or nothing. Ids that fit already are kept.
 */
export function fitCallIds(session: Session, ids: CallIds): Session {
  const paths = new Map<PromptNode, Path>();
  const start: Path = { node: undefined, calls: 0, names: undefined };
  const calls = session.calls.map((call) => {
    const path = fitPath(call.prompt.head, start, paths, ids);
    return { ...call, prompt: { ...call.prompt, head: path.node }, sampled: fitParts(call.sampled, path, ids).parts };
  });
  return { ...session, calls };
}

interface Path {
  readonly node: PromptNode | undefined;
  /** Calls up to here. */
  readonly calls: number;
  readonly names: Names | undefined;
}

/** New ids of calls by their old ones, the last reply's first: a result mostly answers that. */
interface Names {
  readonly own: ReadonlyMap<string, string>;
  readonly before: Names | undefined;
}

function newId(id: string, names: Names | undefined): string | undefined {
  for (let entry = names; entry !== undefined; entry = entry.before) {
    const found = entry.own.get(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rewrites a path once per node, so that prompts go on sharing their prefixes. */
function fitPath(head: PromptNode | undefined, start: Path, done: Map<PromptNode, Path>, ids: CallIds): Path {
  const nodes: PromptNode[] = [];
  let node = head;
  for (; node !== undefined && !done.has(node); node = node.parent) nodes.push(node);
  let path = (node === undefined ? undefined : done.get(node)) ?? start;
  for (const next of nodes.reverse()) {
    const { parts, calls, names } = fitParts(next.message.parts, path, ids);
    const unchanged = parts === next.message.parts && path.node === next.parent;
    path = { node: unchanged ? next : extendPrompt(path.node, { ...next.message, parts }), calls, names };
    done.set(next, path);
  }
  return path;
}

function fitParts(parts: readonly MessagePart[], path: Path, ids: CallIds): Pick<Path, 'calls' | 'names'> & { readonly parts: readonly MessagePart[] } {
  let { calls } = path;
  const own = new Map<string, string>();
  let changed = false;
  const fitted = parts.map((part) => {
    if (part.kind === 'tool-call') {
      const id = fitId(part.id, part.name, calls++, ids);
      if (id === part.id) return part;
      if (part.id !== undefined) own.set(part.id, id);
      changed = true;
      return { ...part, id };
    }
    const id = part.kind === 'tool-result' && part.toolCallId !== undefined ? newId(part.toolCallId, path.names) : undefined;
    if (id === undefined) return part;
    changed = true;
    return { ...part, toolCallId: id };
  });
  return { parts: changed ? fitted : parts, calls, names: own.size === 0 ? path.names : { own, before: path.names } };
}

function fitId(id: string | undefined, name: string, number: number, ids: CallIds): string {
  if (ids.kind === 'nine-alphanumerics') return id !== undefined && /^[0-9A-Za-z]{9}$/.test(id) ? id : shortId(`${id ?? name} ${id === undefined ? String(number) : ''}`);
  return id?.startsWith(`${ids.prefix}${name}${ids.ordinal}`) === true && /^\d+$/.test(id.slice(ids.prefix.length + name.length + ids.ordinal.length)) ? id : `${ids.prefix}${name}${ids.ordinal}${String(number)}`;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Nine letters and digits of a hash: the same in every run, and different for different ids as far as 62^9 goes. */
function shortId(id: string): string {
  let rest = createHash('sha256').update(id).digest().readBigUInt64BE();
  let text = '';
  for (let i = 0; i < 9; i++, rest /= 62n) text += DIGITS[Number(rest % 62n)] ?? '';
  return text;
}
