import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { kimiReader } from './reader.js';

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const loop = (event: object) => ({ type: 'context.append_loop_event', event });
const begin = (uuid: string) => loop({ type: 'step.begin', uuid });
const part = (value: object) => loop({ type: 'content.part', part: value });
const end = (finishReason: string, fields: object = {}) => loop({ type: 'step.end', finishReason, ...fields });
const typed = (text: string) => ({ type: 'turn.prompt', input: [{ type: 'text', text }], origin: { kind: 'user' } });
const said = (text: string, kind = 'user') => ({ type: 'context.append_message', message: { role: 'user', content: [{ type: 'text', text }], origin: { kind } } });
const SETUP = [{ type: 'metadata', protocol_version: '1.4' }, { type: 'config.update', systemPrompt: 'be' }, { type: 'llm.tools_snapshot', hash: 'h', tools: [{ name: 'sh', parameters: {} }] }];
const request = { type: 'llm.request', model: 'k2', systemPromptHash: 'x', toolsHash: 'h', messageCount: 1 };

describe('wire logs of Kimi Code', () => {
  it('have exact prompts where the system prompt and the tools are stored', async () => {
    const session = await readOne(kimiReader, lines(...SETUP, typed('q'), said('q'), begin('s1'), request, part({ type: 'think', think: 'hm' }), part({ type: 'text', text: 'A' }), loop({ type: 'tool.call', toolCallId: 't', name: 'sh', args: { n: 1 } }), loop({ type: 'tool.result', toolCallId: 't', result: { output: 'out' } }), end('tool_use', { usage: { inputOther: 2, inputCacheRead: 3, output: 4 } }), begin('s2'), part({ type: 'text', text: 'B' }), end('end_turn')));
    expect(sampledOf(session, 's1')).toEqual(['<hm>', 'A', 'sh({"n": 1})']);
    expect(promptOf(session, 's2')).toEqual(['system: be', 'user: q', 'assistant: <hm> + A + sh({"n": 1})', 'tool: out']);
    expect(callOf(session, 's1')).toMatchObject({ finishReason: 'tool-calls', usage: { inputTokens: 5, outputTokens: 4 }, model: 'k2', prompt: { status: 'exact', reasons: [] } });
    expect(callOf(session, 's2').finishReason).toBe('stop');
  });
  it('may have only what the user typed, and know harness words', async () => {
    const session = await readOne(kimiReader, lines(typed('q'), begin('s1'), part({ type: 'text', text: 'A' }), end('end_turn'), said('note', 'system'), begin('s2'), part({ type: 'text', text: 'B' }), end('max_tokens')));
    expect(promptOf(session, 's2')).toEqual(['user: q', 'assistant: A', 'user: note']);
    expect(callOf(session, 's2')).toMatchObject({ finishReason: 'length', prompt: { status: 'reconstructed' } });
    expect(callOf(session, 's2').prompt.head?.message.parts[0]?.author).toBe('harness');
  });
  it('go on from a summary and the last words of the user; a step that was stopped is not trained', async () => {
    const session = await readOne(kimiReader, lines(...SETUP, said('q'), begin('s1'), part({ type: 'text', text: 'A' }), end('end_turn'), { type: 'context.apply_compaction', summary: 'so far', keptUserMessageCount: 1 }, said('r'), begin('s2'), part({ type: 'text', text: 'B, a' }), { type: 'turn.cancel' }));
    expect(promptOf(session, 's2')).toEqual(['system: be', 'user: q', 'user: so far', 'user: r']);
    expect(callOf(session, 's2')).toMatchObject({ finishReason: 'aborted', lossReason: 'aborted-reply' });
  });
});
