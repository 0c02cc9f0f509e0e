import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrainingSampleRow } from '@turnwright/contracts';
import { runCommandLine } from './cli/program.js';

export const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));
export const SESSION = join(WORKSPACE, 'examples/sessions/fix-slugify.jsonl');
export const CONTEXT = ['--system', join(WORKSPACE, 'examples/system.md'), '--tools', join(WORKSPACE, 'examples/tools.json')];

const BIN = join(WORKSPACE, 'apps/runner/bin/turnwright.js');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command in this process. */
export async function run(...argv: readonly string[]): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(argv, { line: (text) => { out.push(text); }, note: (text) => { err.push(text); }, isTerminal: false });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** The command as a process of its own; it needs a build. */
export function spawned(argv: readonly string[], options: { readonly cwd?: string; readonly input?: string; readonly env?: Readonly<Record<string, string>>; readonly onStart?: (process: ReturnType<typeof spawn>) => void } = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...argv], { cwd: options.cwd ?? WORKSPACE, env: { ...process.env, ...options.env } });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
    child.on('error', reject).on('close', (code) => { resolve({ code, out: out.join(''), err: err.join('') }); });
    child.stdin.end(options.input ?? '');
    options.onStart?.(child);
  });
}

/** Runs with a directory that is gone afterwards. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'turnwright-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Every file of a directory, by name. */
export async function filesOf(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const)));
}

export async function rowsOf(directory: string): Promise<TrainingSampleRow[]> {
  return (await readFile(join(directory, 'samples-00000.jsonl'), 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TrainingSampleRow]));
}

/** The lines of a ledger of one kind. */
export async function ledgerOf<T extends Record<string, unknown>>(directory: string, kind: string): Promise<T[]> {
  return (await readFile(join(directory, 'ledger.jsonl'), 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T])).filter((line) => line['kind'] === kind);
}

export interface CallLine extends Record<string, unknown> {
  readonly call_id: string;
  readonly sampled_tokens: number;
  readonly trained_tokens: number;
  readonly excluded: readonly { readonly reason: string; readonly count: number }[];
}

export interface Reply {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly input: unknown }[];
  /** Absent: the record says nothing of the end. */
  readonly stop?: string;
}

/** A session as Claude Code records it: a question, replies, and the results of their calls. */
export function claudeSession(replies: readonly Reply[], id = 's1'): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (fields: Record<string, unknown>): void => {
    const uuid = `${id}-u${String(lines.length)}`;
    lines.push(`${JSON.stringify({ parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/w', sessionId: id, version: '2.1.40', uuid, timestamp: '2026-11-02T09:00:00.000Z', ...fields })}\n`);
    parent = uuid;
  };
  add({ type: 'user', message: { role: 'user', content: 'Go on.' } });
  replies.forEach((reply, index) => {
    const calls = reply.calls ?? [];
    const blocks = [...(reply.thinking === undefined ? [] : [{ type: 'thinking', thinking: reply.thinking, signature: 'c2ln' }]), ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]), ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: 'Bash', input: call.input }))];
    blocks.forEach((block, ordinal) => { add({ type: 'assistant', requestId: `${id}-r${String(index)}`, message: { id: `${id}-m${String(index)}`, model: 'policy', role: 'assistant', content: [block], stop_reason: ordinal === blocks.length - 1 ? reply.stop ?? null : null } }); });
    if (calls.length > 0) add({ type: 'user', message: { role: 'user', content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: `result of ${call.id}` })) } });
    else if (index < replies.length - 1) add({ type: 'user', message: { role: 'user', content: `And then (${String(index)})?` } });
  });
  return lines.join('');
}
