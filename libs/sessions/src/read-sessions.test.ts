import { Buffer } from 'node:buffer';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TYPES } from '@turnwright/contracts';
import type { Plugin, Session } from '@turnwright/contracts';
import { describe, expect, it } from 'vitest';
import { lines, other, reply, text, user } from './claude-code/record.fixture.js';
import { detectReader } from './detect.js';
import { answerSessionsRequest } from './conformance.js';
import { openSourceFile } from './source-file.js';
import { sessionReaders } from './plugin.js';
import { sessionsModule } from './sessions.module.js';
import { memoryFile } from './session.fixture.js';
import { readSessions } from './read-sessions.js';

const detected = (content: string): string | undefined => detectReader(sessionReaders, Buffer.from(content), 'any.name')?.name;

describe('detectReader', () => {
  it('knows Claude Code by its records, also when no turn comes first', () => {
    expect(detected(lines(user('u', null, 'x')))).toBe('claude-code');
    expect(detected(lines(JSON.stringify({ type: 'queue-operation', operation: 'enqueue', sessionId: 's' }), JSON.stringify({ type: 'never-seen' }), other('p', null, 'progress')))).toBe('claude-code');
    expect(detected(JSON.stringify({ type: 'system', subtype: 'init', session_id: 's' }))).toBe('claude-code');
  });
  it('knows Claude Code by a first record that is longer than the head', () => {
    expect(detected(user('u', null, 'x'.repeat(1000)).slice(0, 400))).toBe('claude-code');
  });
  it('does not take Qwen Code, Codex or pi for Claude Code', () => {
    expect(detected(JSON.stringify({ uuid: 'u', parentUuid: null, sessionId: 's', type: 'user', message: { role: 'user', parts: [{ text: 'x' }] } }))).toBe('qwen-code');
    expect(detected(JSON.stringify({ timestamp: 't', type: 'session_meta', payload: { id: 's' } }))).toBe('codex');
    expect(detected(JSON.stringify({ type: 'message', id: 'a', parentId: null, message: { role: 'user', content: [] } }))).toBe('pi');
  });
  it('knows rows of messages', () => {
    expect(detected('{"messages": [{"role": "user", "content": "q"}]}')).toBe('messages');
    expect(detected('[{"role": "user", "content": "q"}]')).toBe('messages');
    expect(detected('{"id": "x", "trajectory": [{"role": "user", "content": "q"}]}')).toBe('messages');
  });
});

describe('readSessions', () => {
  const all = async (content: string): Promise<Session[]> => {
    const sessions: Session[] = [];
    for await (const session of readSessions(sessionReaders, memoryFile(content), { seenReplies: new Set() })) sessions.push(session);
    return sessions;
  };
  it('names a file that nobody knows, and is silent about an empty one', async () => {
    expect((await all('hello\n'))[0]?.diagnostics).toMatchObject([{ code: 'unknown-session-format', byteOffset: 0 }]);
    expect(await all('')).toEqual([]);
  });
  it('reads the stream-json dialect, which has no parents', async () => {
    const record = (fields: object): string => JSON.stringify({ session_id: 's', uuid: JSON.stringify(fields), ...fields });
    const sessions = await all(lines(
      record({ type: 'system', subtype: 'init', tools: ['Bash'] }),
      record({ type: 'user', message: { role: 'user', content: 'go' } }),
      record({ type: 'assistant', message: { id: 'm1', role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'sub' } }] }, parent_tool_use_id: null }),
      record({ type: 'user', message: { role: 'user', content: 'sub' }, parent_tool_use_id: 't1' }),
      record({ type: 'assistant', message: { id: 's1', role: 'assistant', content: [{ type: 'text', text: 'done' }] }, parent_tool_use_id: 't1' }),
      record({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] }, parent_tool_use_id: null }),
      record({ type: 'assistant', message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'ok' }] }, parent_tool_use_id: null }),
      record({ type: 'result', num_turns: 2 }),
    ));
    expect(sessions.map((session) => session.id)).toEqual(['s']);
    expect(sessions[0]?.calls.map((call) => [call.id, call.parentId, call.agent?.toolCallId, call.prompt.head?.depth])).toEqual([['m1', undefined, undefined, 1], ['s1', undefined, 't1', 1], ['m2', 'm1', undefined, 3]]);
  });
});

describe('answerSessionsRequest', () => {
  it('reads the files of a request as one corpus from the disk', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sessions-'));
    try {
      const first = join(directory, 'a.jsonl');
      const second = join(directory, 'b.jsonl');
      const shared = [user('u1', null, 'a'), reply('a1', 'u1', 'm1', text('A'))];
      await writeFile(first, lines(...shared));
      await writeFile(second, lines(...shared, user('u2', 'a1', 'b'), reply('a2', 'u2', 'm2', text('B'))));
      const answer = await answerSessionsRequest({ id: 'r', files: [first, second] });
      expect(answer.calls).toEqual([
        { id: 'm1', promptStatus: 'reconstructed', prompt: [{ author: 'user', role: 'user', text: 'a' }], sampled: [{ kind: 'text', text: 'A', exactness: 'bytes' }], loss: true },
        { id: 'm2', promptStatus: 'reconstructed', prompt: [{ author: 'user', role: 'user', text: 'a' }, { author: 'copied', role: 'assistant', text: 'A' }, { author: 'user', role: 'user', text: 'b' }], sampled: [{ kind: 'text', text: 'B', exactness: 'bytes' }], loss: true },
      ]);
      const source = await openSourceFile(second);
      expect(Buffer.from(await source.slice(2, 12)).toString()).toBe('parentUuid');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('sessionsModule', () => {
  it('binds the plugin with all readers', async () => {
    const bound: [unknown, Plugin][] = [];
    // What a module asks of a container, and no more.
    const bind = (identifier: unknown) => ({ toConstantValue: (value: Plugin) => bound.push([identifier, value]) });
    await sessionsModule.load({ bind } as unknown as Parameters<typeof sessionsModule.load>[0]);
    expect(bound.map(([identifier, plugin]) => [identifier, plugin.readers?.map((reader) => reader.name)])).toEqual([[TYPES.Plugin, sessionReaders.map((reader) => reader.name)]]);
  });
});
