import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { archiveBytes } from '../zip/zip.fixture.js';
import { inspectReader } from './reader.js';

const Q = { role: 'user', content: 'attachment://h1' };
const A = { id: 'a', role: 'assistant', content: [{ type: 'reasoning', reasoning: 'hm' }, { type: 'text', text: 'A' }], tool_calls: [{ id: 't', function: 'sh', arguments: { n: 1 } }] };
const model = (uuid: string, input: object[], message: object, fields: object = {}) => ({ event: 'model', uuid, model: 'm', input, tools: [{ name: 'sh', parameters: {} }], output: { choices: [{ message, stop_reason: 'stop' }], usage: { input_tokens: 5, output_tokens: 2 } }, ...fields });
const sample = (events: object[], fields: object = {}) => ({ id: 1, epoch: 2, events, attachments: { h1: 'question' }, scores: { match: { value: 'C' } }, ...fields });

describe('logs of Inspect', () => {
  it('have exact prompts, with long texts put back', async () => {
    const file = JSON.stringify({ version: 2, status: 'success', eval: {}, samples: [sample([{ event: 'state' }, model('e1', [Q], A), model('e2', [Q, A, { role: 'tool', tool_call_id: 't', content: 'out' }], { role: 'assistant', content: 'B' })])] });
    const session = await readOne(inspectReader, file);
    expect(session).toMatchObject({ id: '1#2', reward: 1, tools: { status: 'known' } });
    expect(sampledOf(session, 'e1')).toEqual(['<hm>', 'A', 'sh({"n": 1})']);
    expect(promptOf(session, 'e2')).toEqual(['user: question', 'assistant: <hm> + A + sh({"n": 1})', 'tool: out']);
    expect(callOf(session, 'e2')).toMatchObject({ parentId: 'e1', prompt: { status: 'exact' }, usage: { inputTokens: 5, outputTokens: 2 } });
  });
  it('have arguments as they were sampled where the raw call is stored', async () => {
    const call = { response: { choices: [{ message: { tool_calls: [{ id: 't', function: { name: 'sh', arguments: '{"n":  1.0}' } }] } }] } };
    const session = await readOne(inspectReader, JSON.stringify({ status: 'success', eval: {}, samples: [sample([model('e1', [Q], A, { call })])] }));
    expect(callOf(session, 'e1').sampled[2]).toMatchObject({ arguments: '{"n":  1.0}', exactness: 'bytes' });
  });
  it('may keep messages in a pool, and answers from a cache are not trained again', async () => {
    const session = await readOne(inspectReader, JSON.stringify({ status: 'success', eval: {}, samples: [sample([model('e1', [], A, { input_refs: [[0, 1]], cache: 'read' })], { message_pool: [Q, A] })] }));
    expect(promptOf(session, 'e1')).toEqual(['user: question']);
    expect(callOf(session, 'e1').lossReason).toBe('copied-reply');
  });
  it('in an archive are read sample by sample; a bad sample takes no other', async () => {
    const files = { '_journal/start.json': '{}', 'samples/1_epoch_1.json': JSON.stringify(sample([model('e1', [Q], A)])), 'samples/2_epoch_1.json': '{"id": 2, "events": [{"eve', 'samples/3_epoch_1.json': JSON.stringify(sample([model('e3', [], { role: 'assistant', content: 'C' })], { id: 3 })) };
    const bytes = archiveBytes(files);
    const sessions = await readAll(inspectReader, memoryFile(bytes));
    expect(sessions.map((session) => [session.calls.length, session.diagnostics.map((fault) => fault.code)])).toEqual([[1, []], [0, ['truncated-document']], [1, []]]);
    const cut = await readAll(inspectReader, memoryFile(bytes.subarray(0, bytes.length - 30)));
    expect(cut[0]?.diagnostics).toMatchObject([{ code: 'truncated-archive' }]);
    const flipped = Buffer.from(bytes);
    flipped.fill(0xff, 105, 112);
    expect((await readAll(inspectReader, memoryFile(flipped))).flatMap((session) => session.diagnostics.map((fault) => fault.code))).toContain('bad-archive-entry');
  });
});
