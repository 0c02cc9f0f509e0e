import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentError, type TemplateMessage } from '@turnwright/contracts';
import { RequestMemo } from './chat-template.js';
import { sharedFile } from './conversation.fixture.js';
import { loadTemplate, qwen3Template, type JinjaChatTemplate } from './index.js';
import { textOf } from './python/data-text.js';

const SEED = 20_260_115;
const folder = sharedFile('conformance/render/templates');
const texts = fc.constantFrom('a', ' b\n', '<think>\nx\n</think>\n\ny', '<|im_end|>', '', '<tool_response>z</tool_response>', '🙂');
const call = fc.record({ name: fc.constantFrom('read', 'write'), value: texts }).map(({ name, value }) => ({ id: 'abcdefghi', type: 'function' as const, function: { name, arguments: JSON.stringify({ value }) } }));
const message: fc.Arbitrary<readonly TemplateMessage[]> = fc.oneof(
  texts.map((content) => [{ role: 'user' as const, content }]),
  fc.record({ content: texts, reasoning_content: texts, calls: fc.array(call, { maxLength: 2 }) }).map(({ content, reasoning_content, calls }) => [
    { role: 'assistant' as const, content, reasoning_content, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
    ...calls.map(({ id }): TemplateMessage => ({ role: 'tool', content: 'r', tool_call_id: id })),
  ]),
);
const history = fc.array(message, { minLength: 1, maxLength: 8 }).map((list) => [{ role: 'user' as const, content: 'q' }, ...list.flat()]);

function outcome(action: () => string): string {
  try {
    return action();
  } catch (error) {
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}

/** Renders every prefix of a history with one memo, and each prefix anew. */
function compare(template: JinjaChatTemplate, messages: readonly TemplateMessage[]): void {
  const memo = new RequestMemo();
  for (let length = 1; length <= messages.length; length++) {
    for (const addGenerationPrompt of [true, false]) {
      const request = { messages: messages.slice(0, length), addGenerationPrompt };
      expect(outcome(() => textOf(template.renderSegments(request, 'marked', memo).textAfter(undefined)))).toBe(outcome(() => template.render(request)));
    }
  }
}

describe('a rendering that continues the one before', () => {
  it(`is the rendering from the beginning (seed ${SEED})`, async () => {
    const template = (await qwen3Template.load()) as JinjaChatTemplate;
    fc.assert(fc.property(history, (messages) => compare(template, messages)), { seed: SEED, numRuns: 100 });
  });

  it.skipIf(folder === undefined)(`is the rendering from the beginning for every template of the pack (seed ${SEED})`, { timeout: 120_000 }, () => {
    for (const file of readdirSync(folder ?? '').filter((name) => name.endsWith('.jinja'))) {
      const template = loadTemplate({ name: file, text: readFileSync(join(folder ?? '', file), 'utf8'), source: file, endOfTurn: '', now: '2026-01-15T12:34:56', variables: { bos_token: '<s>', eos_token: '</s>' } });
      fc.assert(fc.property(history, (messages) => compare(template, messages)), { seed: SEED, numRuns: 6 });
    }
  });

  it('runs a loop turn again when what it looked at changed', () => {
    const text = "{% set ns = namespace(n=messages | length) %}{% for m in messages %}{{ m.content }}{{ ns.n if loop.first }}{% set ns.seen = m.content %}{% endfor %}{{ ns.seen }}";
    compare(loadTemplate({ name: 't', text, source: '', endOfTurn: '' }), ['a', 'b', 'c'].map((content) => ({ role: 'user', content })));
  });
});

describe('a comparison with a number that changes with every question', () => {
  const [rendered, messages] = [
    '{% set ns = namespace(last=-1, seen=0) %}{% for m in messages %}{% if m.role == "user" %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}{% set last = ns.last %}',
    fc.array(fc.constantFrom<TemplateMessage>({ role: 'user', content: 'q' }, { role: 'assistant', content: 'a' }), { minLength: 1, maxLength: 14 }),
  ] as const;

  // Because only the outcome of such a comparison is traced: each of these once could have kept a turn that must run again, or lost one.
  it.each([
    'loop.index0 > ns.last', 'loop.index0 >= ns.last', 'loop.index0 < ns.last', 'loop.index0 <= ns.last', 'ns.last > loop.index0', 'ns.last >= loop.index0', 'ns.last < loop.index0', 'ns.last <= loop.index0',
    'last > loop.index0', 'loop.index > last', 'last - 1 > loop.index0', 'ns.last > 3', 'ns.last < last', 'ns.seen < ns.last', 'ns.last > ns.seen', '2.5 < ns.last', 'ns.last < 2 < loop.index',
  ])(`is looked at again where it came out otherwise: %s (seed ${SEED})`, (test) => {
    const template = loadTemplate({ name: 't', text: `${rendered}{% for m in messages %}{{ m.content }}{% if ${test} %}!{% set ns.seen = ns.seen + 1 %}{% endif %},{% endfor %}{{ ns.seen }}`, source: '', endOfTurn: '' });
    fc.assert(fc.property(messages, (list) => compare(template, list)), { seed: SEED, numRuns: 25 });
  });

  it('is made with a call once', () => {
    const template = loadTemplate({ name: 't', text: `${rendered}{% set c = cycler(0, 9) %}{% for m in messages %}{{ 1 if c.next() > last else 0 }}{% endfor %}`, source: '', endOfTurn: '' });
    expect(template.render({ messages: ['a', 'b', 'c', 'd'].map((content) => ({ role: 'user', content })), addGenerationPrompt: false })).toBe('0101');
    compare(template, ['a', 'b', 'c', 'd'].map((content) => ({ role: 'user', content })));
  });
});
