import type { ModelCall } from '@turnwright/contracts';
import type { RecordContent } from './content.js';
import type { Entry } from './entry.js';
import type { Reply } from './replies.js';
import { firstLine } from './replies.js';

/** The `agent` field of the calls of each subagent. */
export type AgentLinks = ReadonlyMap<string, NonNullable<ModelCall['agent']>>;

interface Spawn {
  readonly toolCallId: string;
  readonly prompt: string;
  readonly reply: Reply;
}

/**
 * Links each subagent to the tool call that started it: by the call's id where the record names it, else by the prompt that was given.
 *
 * Never by place alone when prompts differ: linking every agent of a project to the nearest call makes wrong pairs.
 */
export function linkAgents(replies: readonly Reply[], entries: readonly Entry[], contents: ReadonlyMap<number, RecordContent>, callIdOf: (reply: Reply) => string | undefined): AgentLinks {
  const spawns = replies.flatMap((reply) => reply.lines.flatMap((line) => (contents.get(line.index)?.spawnPrompts ?? []).map((spawn): Spawn => ({ ...spawn, reply }))));
  const taken = new Set<string>();
  const links = new Map<string, NonNullable<ModelCall['agent']>>();
  for (const root of rootsOf(entries)) {
    const spawn = spawnOf(root, spawns, contents, replies, taken);
    if (spawn !== undefined) taken.add(spawn.toolCallId);
    const parentCallId = spawn?.reply === undefined ? undefined : callIdOf(spawn.reply);
    links.set(root.agent, { id: root.agent, ...(parentCallId === undefined ? {} : { parentCallId }), ...(spawn === undefined ? {} : { toolCallId: spawn.toolCallId }) });
  }
  return links;
}

function rootsOf(entries: readonly Entry[]): Entry[] {
  const roots = new Map<string, Entry>();
  for (const entry of entries) if (entry.agent !== '' && (entry.kind === 'user' || entry.kind === 'assistant') && !roots.has(entry.agent)) roots.set(entry.agent, entry);
  return [...roots.values()];
}

function spawnOf(root: Entry, spawns: readonly Spawn[], contents: ReadonlyMap<number, RecordContent>, replies: readonly Reply[], taken: ReadonlySet<string>): Spawn | { toolCallId: string; reply: Reply } | undefined {
  if (root.spawnedBy !== undefined) {
    const reply = replies.find((candidate) => candidate.agent !== root.agent && candidate.lines.some((line) => line.toolUseIds.includes(root.spawnedBy ?? '')));
    if (reply !== undefined) return { toolCallId: root.spawnedBy, reply };
  }
  const free = spawns.filter((spawn) => spawn.reply.agent !== root.agent && firstLine(spawn.reply).index < root.index && !taken.has(spawn.toolCallId));
  const said = contents.get(root.index)?.messages.flatMap((message) => message.parts.map((part) => (part.kind === 'text' ? part.text : ''))) ?? [];
  return free.findLast((spawn) => said.some((text) => text.trim() === spawn.prompt.trim())) ?? (free.length === 1 ? free[0] : undefined);
}
