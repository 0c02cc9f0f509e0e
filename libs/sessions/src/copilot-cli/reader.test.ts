import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { copilotCliReader } from './reader.js';

const event = (type: string, data: object) => `${JSON.stringify({ type, data, id: type, timestamp: 't', parentId: null })}\n`;
const start = event('session.start', { sessionId: 's' }) + event('system.message', { content: 'be' }) + event('user.message', { content: 'q', transformedContent: 'q, now' });
const says = (messageId: string, content: string, fields: object = {}) => event('assistant.message', { messageId, content, toolRequests: [], ...fields });
const call = (args: unknown) => ({ toolRequests: [{ toolCallId: 't', name: 'sh', arguments: args }] });
const result = (id: string, content: string, fields: object = {}) => event('tool.execution_complete', { toolCallId: id, success: true, result: { content }, ...fields });

describe('event logs of Copilot CLI', () => {
  it('have the transformed words of the user, the system prompt and arguments as they were stored', async () => {
    const session = await readOne(copilotCliReader, start + says('m1', 'A', { ...call('{"a":  1}'), reasoningText: 'hm', reasoningOpaque: 'x' }) + result('t', 'out') + says('m2', 'B', { inputTokens: 5, outputTokens: 2 }));
    expect(session.id).toBe('s');
    expect(promptOf(session, 'm2')).toEqual(['system: be', 'user: q, now', 'assistant: <hm> + A + sh({"a":  1})', 'tool: out']);
    expect(callOf(session, 'm1').sampled.map((part) => part.exactness)).toEqual(['summary-only', 'bytes', 'bytes']);
    expect(callOf(session, 'm2')).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 }, finishReason: 'stop', prompt: { reasons: ['tools-unknown'] } });
  });
  it('join the chunks of a message', async () => {
    const session = await readOne(copilotCliReader, start + says('m1', 'A', { chunkIndex: 0, chunkCount: 2 }) + says('m1', 'B', { chunkIndex: 1, chunkCount: 2, ...call({ n: 1 }) }));
    expect(sampledOf(session, 'm1')).toEqual(['A', 'B', 'sh({"n": 1})']);
  });
  it('keep subagents apart, with the call that started them', async () => {
    // because github/copilot-cli#3944: a subagent stands among the events of its parent
    const session = await readOne(copilotCliReader, start + says('m1', 'A', call('{}')) + says('k1', 'kid', { parentToolCallId: 't' }) + result('t', 'done') + says('m2', 'B'));
    expect(session.calls.map((each) => [each.id, each.agent?.toolCallId])).toEqual([['m1', undefined], ['k1', 't'], ['m2', undefined]]);
    expect(promptOf(session, 'm2')).toEqual(['system: be', 'user: q, now', 'assistant: A + sh({})', 'tool: done']);
    expect(callOf(session, 'k1').prompt.status).toBe('unknown-prefix');
  });
  it('call prompts behind a truncation approximate', async () => {
    const session = await readOne(copilotCliReader, start + says('m1', 'A') + event('session.truncation', { droppedTokens: 5 }) + event('user.message', { content: 'r' }) + says('m2', 'B'));
    expect(session.calls.map((each) => each.prompt.status)).toEqual(['reconstructed', 'approximate']);
    expect(session.operations).toMatchObject([{ kind: 'compaction', callId: 'm2' }]);
  });
});
