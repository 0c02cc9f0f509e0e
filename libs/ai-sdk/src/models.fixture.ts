import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason, LanguageModelV4Middleware, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { callId, defineFormat, frame, jsonArguments, jsonCall, key, name, pairs, special, value } from '@turnwright/parsing';
import { wrapLanguageModel, jsonSchema, tool, type ToolSet } from 'ai';
import { MockLanguageModelV4, convertArrayToReadableStream } from 'ai/test';

const source = 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples';

export const hermesLike = defineFormat({ name: 'hermes_like', source, block: { open: special('<tool_call>'), close: special('</tool_call>') }, call: frame`${jsonCall()}` });

/** Values have no escape, so some calls cannot be written. */
export const tagged = defineFormat({
  name: 'tagged',
  source,
  block: { open: special('<tool_call>'), close: special('</tool_call>') },
  call: frame`<function=${name}>\n${pairs(frame`<parameter=${key}>${value}</parameter>`, { padding: 'line' })}\n</function>`,
});

/** The name stands in an id that the model writes. */
export const withIds = defineFormat({
  name: 'with_ids',
  source,
  block: { open: special('<|calls|>'), close: special('<|/calls|>'), padding: ['', ''], calls: 'many', separator: '' },
  call: frame`${special('<|call|>')}${callId('functions.', ':')}${special('<|args|>')}${jsonArguments}${special('<|/call|>')}`,
});

export const usage: LanguageModelV4Usage = { inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined }, outputTokens: { total: 1, text: 1, reasoning: undefined } };

type End = LanguageModelV4FinishReason['unified'];

/** A provider that only writes text: the n-th request is answered with the n-th text, streamed in pieces of `size`. */
export function textModel(middleware: LanguageModelV4Middleware, answers: readonly string[], { end = 'stop', size = 3 }: { readonly end?: End; readonly size?: number } = {}) {
  const prompts: LanguageModelV4CallOptions[] = [];
  const finishReason = { unified: end, raw: end };
  const answer = (params: LanguageModelV4CallOptions): string => answers[prompts.push(params) - 1] ?? '';
  const model = wrapLanguageModel({
    middleware,
    model: new MockLanguageModelV4({
      doGenerate: (params) => Promise.resolve({ content: [{ type: 'text', text: answer(params) }], finishReason, usage, warnings: [] }),
      doStream: (params) => Promise.resolve({ stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        ...piecesOf(answer(params), size).map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason, usage },
      ]) }),
    }),
  });
  return { model, prompts };
}

function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

/** Ids 1, 2, 3 … so that results can be compared. */
export function countingIds(): () => string {
  let count = 0;
  return () => `id-${String(++count)}`;
}

export const weather: ToolSet[string] = tool({
  description: 'Weather in a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  execute: ({ city }) => ({ city, degrees: city === 'Oslo' ? 3 : 21 }),
});

/** As `weather`, but the caller runs it. */
export const weatherElsewhere: ToolSet[string] = tool({
  description: 'Weather in a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
});
