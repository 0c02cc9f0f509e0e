import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { openSourceFile } from '../source-file.js';
import { clineReader } from './reader.js';

const user = (content: unknown, fields: object = {}) => ({ role: 'user', content, ts: 1, ...fields });
const model = (id: string, content: unknown, fields: object = {}) => ({ id, role: 'assistant', content, ts: 1, ...fields });
const text = (value: string) => ({ type: 'text', text: value });
const metrics = { metrics: { inputTokens: 5, cacheReadTokens: 3, outputTokens: 2 } };
const task = (...messages: object[]) => JSON.stringify({ version: 1, agent: 'lead', sessionId: 's', messages, system_prompt: 'You are' }, null, 1);

describe('tasks of the newer Cline', () => {
  it('have the system prompt, the bare words of the user and blocks in order', async () => {
    const session = await readOne(clineReader, task(user([text('<user_input mode="act">go</user_input>')]), model('a', [{ type: 'thinking', thinking: 'hm' }, text('A'), { type: 'tool_use', id: 't', name: 'f', input: { n: 1 } }], metrics), user([{ type: 'tool_result', tool_use_id: 't', content: [{ query: 'n', success: true }] }]), model('b', [text('B')], metrics)).replace('"n": 1', '"n": 1.0'));
    expect(sampledOf(session, 'a')).toEqual(['<hm>', 'A', 'f({"n": 1.0})']);
    expect(promptOf(session, 'b')).toEqual(['system: You are', 'user: go', 'assistant: <hm> + A + f({"n": 1.0})', 'tool: [{"query":"n","success":true}]']);
    expect(callOf(session, 'a')).toMatchObject({ usage: { inputTokens: 8, outputTokens: 2 }, finishReason: 'tool-calls', prompt: { status: 'reconstructed', reasons: ['tools-unknown'] } });
  });
  it('do not train a reply that was cut, nor an error that was only shown', async () => {
    const session = await readOne(clineReader, task(user('go'), model('a', [text('A')], metrics), user('on'), model('b', [text('B, a')]), model('e', [text('Overloaded')], { metadata: { displayOnly: true, displayRole: 'error' } })));
    expect(session.calls.map((call) => [call.id, call.finishReason, call.lossReason])).toEqual([['a', 'stop', undefined], ['b', 'aborted', 'aborted-reply']]);
  });
  it('keep what stands before a cut of the file', async () => {
    const whole = task(user('go'), model('a', [text('A')], metrics), user('on'), model('b', [text('B')], metrics));
    const session = await readOne(clineReader, whole.slice(0, whole.indexOf('"B"')));
    expect(session.calls.map((call) => call.id)).toEqual(['a']);
    expect(session.diagnostics).toMatchObject([{ code: 'truncated-document', byteOffset: expect.any(Number) }]);
  });
});

describe('histories of the extensions', () => {
  it('leave out the range that the interface file names', async () => {
    // because cline pull 13419: with the range ignored, a prompt grew to 1.1 million tokens
    const directory = await mkdtemp(join(tmpdir(), 'cline-'));
    try {
      await writeFile(join(directory, 'api_conversation_history.json'), JSON.stringify([user('task'), model('a', 'A'), user('x'), model('b', 'B'), user('y'), model('c', 'C')]));
      await writeFile(join(directory, 'ui_messages.json'), JSON.stringify([{ ts: 1, type: 'say', say: 'api_req_started', conversationHistoryIndex: 3, conversationHistoryDeletedRange: [1, 2] }]));
      const [session] = await readAll(clineReader, await openSourceFile(join(directory, 'api_conversation_history.json')));
      expect(session?.calls.map((call) => call.prompt.head?.depth)).toEqual([1, 3, 3]);
      if (session !== undefined) expect(promptOf(session, 'c')).toEqual(['user: task', 'assistant: B', 'user: y']);
      expect(session?.operations.map((each) => [each.kind, each.callId])).toEqual([['compaction', 'c']]);
      const [shown] = await readAll(clineReader, await openSourceFile(join(directory, 'ui_messages.json')));
      expect(shown?.diagnostics).toMatchObject([{ code: 'not-a-conversation' }]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
  it('hide what a summary stands for, once it is there', async () => {
    // because Roo pull 9665: condensed messages stay in the file with the name of their summary
    const session = await readOne(clineReader, JSON.stringify([user('task', { condenseParent: 'k' }), model('a', 'A', { condenseParent: 'k' }), user('so far', { isSummary: true, condenseId: 'k' }), user('on'), model('b', 'B')]));
    expect([promptOf(session, 'a'), promptOf(session, 'b')]).toEqual([['user: task'], ['user: so far', 'user: on']]);
    expect(callOf(session, 'b').prompt.head?.parent?.message.parts[0]?.author).toBe('summary');
  });
});
