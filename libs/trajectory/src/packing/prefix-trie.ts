import { equalLength } from '../equal-length.js';

/** A run of tokens that every sequence below it has; cut in two where a new sequence parts from it. */
interface TrieNode {
  ids: Int32Array;
  /** The first sequence that has it. */
  readonly owner: number;
  children: Map<number, TrieNode>;
}

/** Sequences by their beginnings. Inserting one costs the tokens that it shares, and nothing for the rest. */
export class PrefixTrie {
  private readonly roots = new Map<number, TrieNode>();

  /** Adds the sequence made of `parts` and tells how much of it an earlier one has, and which: the first such. */
  insert(parts: readonly Int32Array[], owner: number): { readonly owner: number | undefined; readonly length: number } {
    let children = this.roots;
    let found: number | undefined;
    let length = 0;
    let [part, offset] = [0, 0];
    for (;;) {
      while (part < parts.length && offset === (parts[part]?.length ?? 0)) [part, offset] = [part + 1, 0];
      const ids = parts[part];
      if (ids === undefined) return { owner: found, length };
      const first = ids[offset] ?? 0;
      const node = children.get(first);
      if (node === undefined) {
        addChain(children, parts, part, offset, owner);
        return { owner: found, length };
      }
      const same = equalLength(node.ids, 0, ids, offset, Math.min(node.ids.length, ids.length - offset));
      found = node.owner;
      length += same;
      offset += same;
      if (same < node.ids.length) split(node, same);
      children = node.children;
    }
  }
}

/** The node keeps its first `length` tokens; the rest becomes its only child. */
function split(node: TrieNode, length: number): void {
  const rest: TrieNode = { ids: node.ids.subarray(length), owner: node.owner, children: node.children };
  node.children = new Map([[rest.ids[0] ?? 0, rest]]);
  node.ids = node.ids.subarray(0, length);
}

function addChain(children: Map<number, TrieNode>, parts: readonly Int32Array[], part: number, offset: number, owner: number): void {
  let below = children;
  for (let index = part; index < parts.length; index++) {
    const ids = index === part ? parts[index]?.subarray(offset) : parts[index];
    if (ids === undefined || ids.length === 0) continue;
    const node: TrieNode = { ids, owner, children: new Map() };
    below.set(ids[0] ?? 0, node);
    below = node.children;
  }
}
