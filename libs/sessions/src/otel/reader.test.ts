import { describe, expect, it } from 'vitest';
import { detectReader } from '../detect.js';
import { sessionReaders } from '../plugin.js';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { otelReader } from './reader.js';

const part = (type: string, content: string) => ({ type, content });
const Q = { role: 'user', parts: [part('text', 'q')] };
const A = { role: 'assistant', parts: [part('reasoning', 'hm'), { type: 'tool_call', id: 't', name: 'f', arguments: { n: 1 } }], finish_reason: 'tool_call' };
const span = (spanId: string, startTimeUnixNano: string, attributes: Record<string, unknown>) => ({ spanId, startTimeUnixNano, attributes: Object.entries({ 'gen_ai.operation.name': 'chat', ...attributes }).map(([key, value]) => ({ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: typeof value === 'string' ? value : JSON.stringify(value) } })) });
const otlp = (...spans: object[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

describe('spans of generative models', () => {
  it('are calls in the order in which they began, with their parts', async () => {
    const file = otlp(span('s2', '20', { 'gen_ai.input.messages': [Q, A, { role: 'tool', parts: [{ type: 'tool_call_response', id: 't', result: 'out' }] }], 'gen_ai.output.messages': [{ role: 'assistant', parts: [part('text', 'B')], finish_reason: 'stop' }] }), span('s1', '9', { 'gen_ai.system_instructions': [part('text', 'be')], 'gen_ai.input.messages': [Q], 'gen_ai.output.messages': [A], 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 2 }));
    expect(detectReader(sessionReaders, Buffer.from(file), 'x')?.name).toBe('otel-genai');
    const session = await readOne(otelReader, file);
    expect(session.calls.map((call) => [call.id, call.finishReason, call.usage])).toEqual([['s1', 'tool-calls', { inputTokens: 5, outputTokens: 2 }], ['s2', 'stop', undefined]]);
    expect(promptOf(session, 's1')).toEqual(['system: be', 'user: q']);
    expect(promptOf(session, 's2')).toEqual(['user: q', 'assistant: <hm> + f({"n": 1})', 'tool: out']);
    expect(callOf(session, 's2').parentId).toBe('s1');
  });
  it('may spell messages out in flat keys', async () => {
    const session = await readOne(otelReader, `${JSON.stringify({ name: 'chat', span_id: 'f', attributes: { 'gen_ai.request.model': 'm', 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': 'q', 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'A', 'gen_ai.completion.0.tool_calls.0.id': 't', 'gen_ai.completion.0.tool_calls.0.name': 'f', 'gen_ai.completion.0.tool_calls.0.arguments': '{"a":  1}' } })}\n`);
    expect([promptOf(session, 'f'), sampledOf(session, 'f')]).toEqual([['user: q'], ['A', 'f({"a":  1})']]);
    const open = await readOne(otelReader, `${JSON.stringify({ span_id: 'o', attributes: { 'openinference.span.kind': 'LLM', 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': 'q', 'llm.output_messages.0.message.role': 'assistant', 'llm.output_messages.0.message.content': 'A' } })}\n`);
    expect([promptOf(open, 'o'), sampledOf(open, 'o')]).toEqual([['user: q'], ['A']]);
  });
  it('may hold token ids, and without a prompt train only with them', async () => {
    const output = [{ role: 'assistant', parts: [part('text', 'A')] }];
    const session = await readOne(otelReader, otlp(span('s1', '1', { 'gen_ai.output.messages': output, prompt_token_ids: '[1,2]', response_token_ids: '[3]' }), span('s2', '2', { 'gen_ai.output.messages': [{ role: 'assistant', parts: [part('text', 'B')] }] })));
    expect(session.calls.map((call) => [call.tokens, call.lossReason])).toEqual([[{ promptIds: [1, 2], outputIds: [3] }, undefined], [undefined, 'prompt-incomplete']]);
  });
  it('without content say that none was captured', async () => {
    expect((await readOne(otelReader, otlp(span('s1', '1', { 'gen_ai.request.model': 'm' })))).diagnostics).toMatchObject([{ code: 'no-content' }]);
  });
});
