import { readFileSync } from 'node:fs';
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { ask } from './readme.fixture.js';

test('the example in the README is the one that runs here', () => {
  const [, example] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
  expect(example).toBe(readFileSync(new URL('readme.fixture.ts', import.meta.url), 'utf8').replace('./index.js', '@turnwright/ai-sdk'));
});

test('the example calls the tool and answers', async () => {
  const answer = (text: string): LanguageModelV4GenerateResult => ({ content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }, warnings: [] });
  const answers = ['<think>\nI look it up.\n</think>\n\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>', '<think>\nGood.\n</think>\n\nIt is 3 degrees.'].map(answer);
  const model = new MockLanguageModelV4({ doGenerate: answers });
  expect(await ask(model, 'How warm is Oslo?')).toBe('It is 3 degrees.');
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('Oslo: 3 degrees');
});
