import { Buffer } from 'node:buffer';
import type { ModelCall, Session } from '@turnwright/contracts';
import { describe, expect, it } from 'vitest';
import { lines as claudeLines, reply, text as claudeText, user as claudeUser } from './claude-code/record.fixture.js';
import { answers, asks, counted, meta, rollout } from './codex/rollout.fixture.js';
import { detectReader } from './detect.js';
import { sessionReaders } from './plugin.js';
import { readSessions } from './read-sessions.js';
import { memoryFile } from './session.fixture.js';

/** MARK stands in the first reply's text. Every file holds two replies in a row. */
const MARK = 'first answer';
const jsonLines = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const chat = (id: string, content: string) => ({ id, choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] });
const block = (value: string) => [{ type: 'text', text: value }];
const items = (role: string, value: string) => ({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: value }] });

/** Small files of every reader: JSON lines, or one document. */
const FILES: Readonly<Record<string, string>> = {
  'claude-code': claudeLines(claudeUser('u1', null, 'q'), reply('a1', 'u1', 'm1', claudeText(MARK)), claudeUser('u2', 'a1', 'r'), reply('a2', 'u2', 'm2', claudeText('second'))),
  'codex': rollout(meta('s'), asks('q'), answers(MARK), counted(1, 1), asks('r'), answers('second'), counted(1, 1)),
  'gemini-cli': jsonLines({ sessionId: 's', projectHash: 'h', startTime: 't' }, { id: 'u', type: 'user', content: 'q' }, { id: 'a', type: 'gemini', content: MARK }, { id: 'v', type: 'user', content: 'r' }, { id: 'b', type: 'gemini', content: 'second' }),
  'gemini-cli document': pretty({ sessionId: 's', projectHash: 'h', messages: [{ id: 'u', type: 'user', content: 'q' }, { id: 'a', type: 'gemini', content: MARK }, { id: 'v', type: 'user', content: 'r' }, { id: 'b', type: 'gemini', content: 'second' }] }),
  'qwen-code': jsonLines(...[['u', null, 'user', 'q'], ['a', 'u', 'model', MARK], ['v', 'a', 'user', 'r'], ['b', 'v', 'model', 'second']].map(([uuid, parentUuid, role, text]) => ({ uuid, parentUuid, sessionId: 's', type: role === 'model' ? 'assistant' : 'user', message: { role, parts: [{ text }] } }))),
  'cline document': pretty({ sessionId: 's', agent: 'lead', messages: [{ role: 'user', content: 'q' }, { id: 'a', role: 'assistant', content: block(MARK) }, { role: 'user', content: 'r' }, { id: 'b', role: 'assistant', content: block('second') }] }),
  'opencode document': pretty({ info: { id: 's' }, messages: [{ info: { id: '1', role: 'user' }, parts: block('q') }, { info: { id: '2', role: 'assistant' }, parts: block(MARK) }, { info: { id: '3', role: 'user' }, parts: block('r') }, { info: { id: '4', role: 'assistant' }, parts: block('second') }] }),
  'pi': jsonLines({ type: 'session', version: 3, id: 's', cwd: '/srv' }, ...[['u', null, 'user', 'q'], ['a', 'u', 'assistant', MARK], ['v', 'a', 'user', 'r'], ['b', 'v', 'assistant', 'second']].map(([id, parentId, role, text]) => ({ type: 'message', id, parentId, message: { role, content: block(text ?? '') } }))),
  'atif document': pretty({ schema_version: 'ATIF-v1.6', session_id: 's', agent: { name: 'a', version: '1' }, steps: [{ step_id: 1, source: 'user', message: 'q' }, { step_id: 2, source: 'agent', message: MARK }, { step_id: 3, source: 'user', message: 'r' }, { step_id: 4, source: 'agent', message: 'second' }] }),
  'mini-swe-agent document': pretty({ trajectory_format: 'mini-swe-agent-1', info: {}, messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: MARK }, { role: 'user', content: 'r' }, { role: 'assistant', content: 'second' }] }),
  'swe-agent document': pretty({ environment: 'e', history: [{ role: 'user', content: 'q', agent: 'main' }, { role: 'assistant', content: MARK, agent: 'main' }, { role: 'user', content: 'r', agent: 'main' }, { role: 'assistant', content: 'second', agent: 'main' }] }),
  'responses': jsonLines({ responses_create_params: { input: [items('user', 'q')] }, response: { output: [items('assistant', MARK)] } }, { responses_create_params: { input: [items('user', 'r')] }, response: { output: [items('assistant', 'second')] } }),
  'openhands': jsonLines(...[['user', 'q'], ['agent', MARK], ['user', 'r'], ['agent', 'second']].map(([source, content], id) => ({ id, source, message: '', action: 'message', args: { content } }))),
  'openhands SDK': jsonLines(...[['user', 'q'], ['assistant', MARK], ['user', 'r'], ['assistant', 'second']].map(([role, text], id) => ({ id: `e${id}`, kind: 'MessageEvent', source: role === 'user' ? 'user' : 'agent', llm_response_id: `r${id}`, llm_message: { role, content: block(text ?? '') } }))),
  'copilot-cli': jsonLines(...[['user.message', 'q'], ['assistant.message', MARK], ['user.message', 'r'], ['assistant.message', 'second']].map(([type, content], id) => ({ type, id: `e${id}`, data: { content, messageId: `m${id}` } }))),
  'kimi': jsonLines(...['q', 'r'].flatMap((question, index) => [{ type: 'turn.prompt', input: block(question) }, { type: 'context.append_loop_event', event: { type: 'step.begin', uuid: `s${index}` } }, { type: 'context.append_loop_event', event: { type: 'content.part', part: { type: 'text', text: index === 0 ? MARK : 'second' } } }, { type: 'context.append_loop_event', event: { type: 'step.end', finishReason: 'end_turn' } }])),
  'hf-sts': jsonLines({ type: 'session', harness: 'x', id: 's' }, ...[['user', 'q'], ['assistant', MARK], ['user', 'r'], ['assistant', 'second']].map(([role, content]) => ({ type: 'message', message: { role, content } }))),
  'otel-genai': jsonLines(...[['q', MARK], ['r', 'second']].map(([question, answer], id) => ({ span_id: `s${id}`, attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: question }] }], 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: answer }] }] } }))),
  'inspect-ai document': pretty({ version: 2, status: 'success', eval: {}, samples: [['q', MARK], ['r', 'second']].map(([question, content], id) => ({ id, epoch: 1, events: [{ event: 'model', uuid: `e${id}`, input: [{ role: 'user', content: question }], output: { choices: [{ message: { role: 'assistant', content }, stop_reason: 'stop' }] } }] })) }),
  'request-log': jsonLines({ request: { messages: [{ role: 'user', content: 'q' }] }, response: chat('r1', MARK) }, { request: { messages: [{ role: 'user', content: 'r' }] }, response: chat('r2', 'second') }),
  'messages': jsonLines({ messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: MARK }] }, { messages: [{ role: 'user', content: 'r' }, { role: 'assistant', content: 'second' }] }),
};

const names = Object.keys(FILES);
const lineFormats = names.filter((name) => !name.endsWith(' document'));
const fileOf = (name: string): string => FILES[name] ?? '';

async function read(content: string | Uint8Array): Promise<{ sessions: Session[]; calls: ModelCall[]; codes: string[] }> {
  const sessions: Session[] = [];
  for await (const session of readSessions(sessionReaders, memoryFile(content, 1 << 20, 'some.name'), { seenReplies: new Set() })) sessions.push(session);
  for (const fault of sessions.flatMap((session) => session.diagnostics)) expect(fault).toMatchObject({ code: expect.stringMatching(/^[a-z0-9-]+$/), byteOffset: expect.any(Number), line: expect.any(Number) });
  return { sessions, calls: sessions.flatMap((session) => session.calls), codes: sessions.flatMap((session) => session.diagnostics.map((fault) => fault.code)) };
}

const texts = (calls: readonly ModelCall[]): string[] => calls.map((call) => call.sampled.map((part) => ('text' in part ? part.text : '')).join(''));
const trained = (calls: readonly ModelCall[]): string[] => texts(calls.filter((call) => call.loss));

describe.each(names)('%s', (name) => {
  const whole = fileOf(name);
  it('is known by its content, and whole it has two replies to train', async () => {
    expect(detectReader(sessionReaders, Buffer.from(whole), 'wrong.extension')?.name).toBe(name.split(' ')[0]);
    expect(trained((await read(whole)).calls)).toEqual([MARK, 'second']);
  });
  it('cut anywhere gives no reply that is not whole, and says where it was cut', async () => {
    const start = Math.floor(whole.indexOf(MARK));
    for (let cut = start; cut < whole.trimEnd().length; cut += 7) {
      const { calls, codes } = await read(whole.slice(0, cut));
      for (const text of trained(calls)) expect([MARK, 'second']).toContain(text);
      if (whole[cut - 1] !== '\n' && whole[cut] !== '\n') expect(codes.length).toBeGreaterThan(0);
    }
  });
  it('with a byte-order mark and CRLF is the same', async () => {
    expect(trained((await read(`\uFEFF${whole.replaceAll('\n', '\r\n')}`)).calls)).toEqual([MARK, 'second']);
  });
  it('with zero bytes at its end is the same, and says so', async () => {
    const { calls, codes } = await read(`${whole}${'\0'.repeat(4096)}`);
    expect(trained(calls)).toEqual([MARK, 'second']);
    expect(codes).toContain('nul-bytes');
  });
  it('with bytes that are no UTF-8 says so and does not train them', async () => {
    const bytes = Buffer.from(whole.replace(MARK, 'fXrst answer'));
    bytes[bytes.indexOf('fXrst') + 1] = 0xff;
    const { calls, codes } = await read(bytes);
    expect(codes).toContain('invalid-utf8');
    for (const text of trained(calls)) expect(text).not.toContain('\uFFFD');
  });
  it('with U+2028 in a text is one record', async () => {
    expect(trained((await read(whole.replace(MARK, `first\u2028answer`))).calls)).toEqual(['first\u2028answer', 'second']);
  });
  it('with a lone surrogate does not train that reply, and goes on', async () => {
    const { calls } = await read(whole.replace(MARK, 'first \\ud83d answer'));
    expect(calls.map((call) => call.loss)).toEqual([false, true]);
    expect(calls[0]?.lossReason).toBe('not-encodable');
    expect(JSON.stringify(calls)).toBe(Buffer.from(JSON.stringify(calls)).toString());
  });
  it('with a text of a megabyte is read', async () => {
    const long = 'x'.repeat(1_200_000);
    expect(trained((await read(whole.replace(MARK, long))).calls)).toEqual([long, 'second']);
  });
  it('is empty without a word', async () => {
    expect((await read('')).sessions).toEqual([]);
    for (const reader of sessionReaders) for await (const session of reader.read(memoryFile(''), { seenReplies: new Set() })) expect(session.calls).toEqual([]);
  });
});

describe.each(lineFormats)('%s, in lines,', (name) => {
  const rows = fileOf(name).trimEnd().split('\n');
  it('with two records glued keeps both', async () => {
    const glued = [...rows.slice(0, -2), rows.slice(-2).join('')].join('\n');
    const { calls, codes } = await read(`${glued}\n`);
    expect(trained(calls)).toEqual([MARK, 'second']);
    expect(codes).toContain('glued-records');
  });
  it('with zero bytes between records keeps them', async () => {
    const { calls, codes } = await read(`${[...rows.slice(0, -1), '\0'.repeat(512), rows.at(-1)].join('\n')}\n`);
    expect(trained(calls)).toEqual([MARK, 'second']);
    expect(codes).toContain('nul-bytes');
  });
  it('with a record of an unknown kind goes on', async () => {
    const { calls } = await read(`${[...rows.slice(0, -1), JSON.stringify({ type: 'made.tomorrow', kind: 'MadeTomorrow', sessionId: 's' }), rows.at(-1)].join('\n')}\n`);
    expect(trained(calls)).toEqual([MARK, 'second']);
  });
  it('with a damaged record keeps what does not depend on it', async () => {
    const index = rows.findIndex((row) => row.includes(MARK));
    const damaged = [...rows.slice(0, index), (rows[index] ?? '').slice(0, -20), ...rows.slice(index + 1)].join('\n');
    const { calls, codes } = await read(`${damaged}\n`);
    expect(codes).toContain('cut-record');
    expect(trained(calls)).not.toContain(MARK);
    for (const call of calls) if (!call.loss) expect(call.lossReason).toBeTypeOf('string');
  });
});
