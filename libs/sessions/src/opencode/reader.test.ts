import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { openSourceFile } from '../source-file.js';
import { databaseBytes } from '../sqlite/sqlite.fixture.js';
import { openCodeReader } from './reader.js';

type Part = Record<string, unknown>;
const user = (id: string, ...parts: Part[]) => ({ info: { id, role: 'user', time: { created: 1 } }, parts });
const model = (id: string, created: number, parts: Part[], fields: object = {}) => ({ info: { id, role: 'assistant', modelID: 'm', time: { created }, finish: 'stop', ...fields }, parts });
const text = (value: string, fields: object = {}) => ({ type: 'text', text: value, ...fields });
const start = { type: 'step-start' };
const finish = (reason: string, output = 2) => ({ type: 'step-finish', reason, tokens: { input: 3, output, cache: { read: 1, write: 0 } } });
const tool = (callID: string, output: string, state: object = {}) => ({ type: 'tool', tool: 'ls', callID, state: { status: 'completed', input: { n: 1 }, output, ...state } });
const exported = (...messages: object[]) => JSON.stringify({ info: { id: 'ses_1' }, messages });

describe('sessions of OpenCode', () => {
  it('have a call for each step of a message, with its usage and its end', async () => {
    const json = exported(user('m1', text('q'), text('note', { synthetic: true }), text('no', { ignored: true })), model('m2', 2, [start, { type: 'reasoning', text: 'hm' }, text('A'), tool('t', 'out'), finish('tool-calls'), start, text('B'), finish('stop')])).replace('"n":1', '"n":1.0');
    const session = await readOne(openCodeReader, json);
    expect(session.calls.map((call) => [call.id, call.finishReason, call.usage])).toEqual([['m2', 'tool-calls', { inputTokens: 4, outputTokens: 2 }], ['m2#2', 'stop', { inputTokens: 4, outputTokens: 2 }]]);
    expect(sampledOf(session, 'm2')).toEqual(['<hm>', 'A', 'ls({"n": 1.0})']);
    expect(promptOf(session, 'm2#2')).toEqual(['user: q + note', 'assistant: <hm> + A + ls({"n": 1.0})', 'tool: out']);
    expect(callOf(session, 'm2').prompt.head?.message.parts.map((part) => part.author)).toEqual(['user', 'harness']);
  });
  it('have old outputs cleared for requests after that, and only for them', async () => {
    const cleared = tool('t', 'out', { time: { compacted: 25 } });
    const session = await readOne(openCodeReader, exported(user('m1', text('q')), model('m2', 10, [start, cleared, finish('tool-calls')]), model('m3', 20, [start, tool('u', 'two'), finish('tool-calls')]), model('m4', 30, [start, text('B'), finish('stop')])));
    expect(promptOf(session, 'm3').at(-1)).toBe('tool: out');
    expect(promptOf(session, 'm4').filter((line) => line.startsWith('tool'))).toEqual(['tool: [Old tool result content cleared]', 'tool: two']);
    expect(session.operations).toMatchObject([{ kind: 'cleared-results', callId: 'm4' }]);
    expect(callOf(session, 'm4').parentId).toBe('m3');
  });
  it('go on from a summary and the turns that were kept; the summary itself is not trained', async () => {
    const session = await readOne(openCodeReader, exported(user('m1', text('q')), model('m2', 2, [text('A')]), user('m3', text('r')), model('m4', 4, [text('B')]), user('m5', { type: 'compaction', tail_start_id: 'm3' }), model('m6', 6, [text('so far')], { summary: true }), user('m7', text('s')), model('m8', 8, [text('C')])));
    expect(promptOf(session, 'm8')).toEqual(['user: What did we do so far?', 'assistant: so far', 'user: r', 'assistant: B', 'user: s']);
    expect(callOf(session, 'm6')).toMatchObject({ loss: false, lossReason: 'prompt-incomplete' });
    expect(session.operations).toMatchObject([{ kind: 'compaction', callId: 'm8' }]);
  });
  it('leave out failed replies, and keep calls that were stopped with the client\'s own result', async () => {
    const session = await readOne(openCodeReader, exported(user('m1', text('q')), model('m2', 2, [text('par')], { error: { name: 'APIError' }, finish: undefined }), model('m3', 3, [start, tool('t', '', { status: 'running' })], { finish: undefined }), user('m4', text('on')), model('m5', 5, [text('B')])));
    expect(session.calls.map((call) => [call.id, call.lossReason])).toEqual([['m2', 'failed-reply'], ['m3', undefined], ['m5', undefined]]);
    expect(promptOf(session, 'm5')).toEqual(['user: q', 'assistant: ls({"n": 1})', 'tool: [Tool execution was interrupted]', 'user: on']);
  });
  it('with a call to no tool have its name and no arguments to train', async () => {
    const session = await readOne(openCodeReader, exported(user('m1', text('q')), model('m2', 2, [{ type: 'tool', tool: 'invalid', callID: 't', state: { status: 'completed', input: { tool: 'Bsh', error: 'e' }, output: 'x' } }])));
    expect(callOf(session, 'm2')).toMatchObject({ loss: true, sampled: [{ name: 'Bsh', exactness: 'damaged' }] });
  });
});

describe('the places of OpenCode', () => {
  const session = 'CREATE TABLE `session` (`id` text PRIMARY KEY, `parent_id` text, `time_created` integer)';
  const message = 'CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text, `data` text)';
  const part = 'CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text, `data` text)';
  const row = (value: unknown) => JSON.stringify(value);
  it('its database: parents before their agents, which name the call that started them', async () => {
    const bytes = databaseBytes({
      session: { sql: session, rows: [['kid', 'mum', 2], ['mum', null, 1]] },
      message: { sql: message, rows: [['m1', 'mum', row({ role: 'user' })], ['m2', 'mum', row({ role: 'assistant', time: { created: 1 } })], ['k1', 'kid', row({ role: 'user' })], ['k2', 'kid', row({ role: 'assistant', time: { created: 2 } })]] },
      part: { sql: part, rows: [['p2', 'm2', row(tool('t', 'done', { metadata: { sessionId: 'kid' } }))], ['p1', 'm1', row(text('q'.repeat(1500)))], ['p3', 'k1', row(text('task'))], ['p4', 'k2', row(text('done'))], ['p5', 'k2', '{"type":']] },
    });
    const sessions = await readAll(openCodeReader, memoryFile(bytes));
    expect(sessions.map((each) => [each.id, each.calls.map((call) => [call.id, call.agent])])).toEqual([['mum', [['m2', undefined]]], ['kid', [['k2', { id: 'kid', parentCallId: 'm2', toolCallId: 't' }]]]]);
    expect(sessions[0]?.diagnostics).toMatchObject([{ code: 'bad-row' }]);
  });
  it('another database is refused by name', async () => {
    expect((await readOne(openCodeReader, databaseBytes({ x: { sql: 'CREATE TABLE x (id text)', rows: [] } }))).diagnostics).toMatchObject([{ code: 'unknown-database' }]);
  });
  it('its older storage: a session file reads the folders beside it, and a piece says so', async () => {
    const root = await mkdtemp(join(tmpdir(), 'opencode-'));
    const write = async (path: string, value: unknown): Promise<string> => {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), JSON.stringify(value));
      return join(root, path);
    };
    try {
      const path = await write('session/p/s1.json', { id: 's1', projectID: 'p', directory: '/srv' });
      await write('message/s1/m1.json', { id: 'm1', sessionID: 's1', role: 'user', time: {} });
      await write('message/s1/m2.json', { id: 'm2', sessionID: 's1', role: 'assistant', time: { created: 1 } });
      const piece = await write('part/m1/p1.json', { id: 'p1', messageID: 'm1', ...text('q') });
      await write('part/m2/p2.json', { id: 'p2', messageID: 'm2', ...text('A') });
      const [stored] = await readAll(openCodeReader, await openSourceFile(path));
      expect(stored?.calls).toHaveLength(1);
      if (stored !== undefined) expect(promptOf(stored, 'm2')).toEqual(['user: q']);
      expect((await readAll(openCodeReader, await openSourceFile(piece)))[0]?.diagnostics).toMatchObject([{ code: 'part-of-a-session' }]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
  it('the stream of a run: replies whose prompt nobody recorded', async () => {
    const line = (value: Part) => `${JSON.stringify({ type: 'x', sessionID: 's', part: { messageID: 'm', ...value } })}\n`;
    const session = await readOne(openCodeReader, line(start) + line(text('A')) + line(finish('stop')));
    expect(session).toMatchObject({ id: 's', calls: [{ id: 'm', loss: false, lossReason: 'prompt-incomplete', finishReason: 'stop' }] });
  });
});
