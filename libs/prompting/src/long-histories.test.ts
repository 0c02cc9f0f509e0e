import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentError, extendPrompt, type ChatTemplate, type MessagePart, type ModelCall, type PromptNode, type SessionMessage, type TemplateMessage } from '@turnwright/contracts';
import { RequestMemo } from './chat-template.js';
import { calls, encoded, modelCall, reply, results, says, sharedFile, thinks, user } from './conversation.fixture.js';
import { createPromptEncoder, loadTemplate, qwen3Template, qwen3Tokenizer, type JinjaChatTemplate } from './index.js';

const tokenizer = await qwen3Tokenizer.load();
const qwen3 = await qwen3Template.load();
const own = (name: string, text: string): JinjaChatTemplate => loadTemplate({ name, text, source: 'test', endOfTurn: '<|im_end|>' });
const CHATML = own('chatml', "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% for c in m.tool_calls or [] %}<call>{{ c.function.name }} {{ c.function.arguments | tojson }}</call>{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}");
const LOOKS_AROUND = own('looks around', "{% set ns = namespace(last=-1) %}{% for m in messages[::-1] %}{% if ns.last < 0 and m.role == 'user' %}{% set ns.last = messages | length - loop.index %}{% endif %}{% endfor %}{% for m in messages[0:] %}{{ '[' if loop.first or loop.previtem.role != m.role }}{{ '?' if loop.index0 >= ns.last and m.role == 'user' }}{{ m.content }}<|im_end|>{% endfor %}{% if add_generation_prompt %}[{% endif %}");
const TEMPLATES: readonly (readonly [string, ChatTemplate])[] = [['qwen3', qwen3], ['chatml', CHATML], ['looks around', LOOKS_AROUND]];

const MESSAGES = 10_000;

/** Calls of one session in which every fifth message is a question and the others are calls and results. */
function longSession(every: number): readonly ModelCall[] {
  const found: ModelCall[] = [];
  let head: PromptNode | undefined;
  const add = (message: SessionMessage): void => { head = extendPrompt(head, message); };
  for (let count = 0; count < MESSAGES; count += 5) {
    add(user(`question ${count}`));
    for (const parts of [[thinks('because'), calls('read', `{"n": ${count}}`)], [says('again'), calls('read', '{"n": 0}')]] as const) {
      if (count % every === 0) found.push(callOn(head, parts));
      add(reply(...parts));
      add(results(`result ${count}`));
    }
  }
  return [...found, callOn(head, [says('end')])];
}

function callOn(head: PromptNode | undefined, sampled: readonly MessagePart[]): ModelCall {
  return { ...modelCall([], sampled, { finishReason: 'tool-calls' }), prompt: { status: 'exact', reasons: [], head } };
}

describe.each(TEMPLATES)('a history of ten thousand messages, with the template %s,', (name, template) => {
  const fresh = (): ReturnType<typeof createPromptEncoder> => createPromptEncoder({ tokenizer, template, controlText: 'text' });

  it('is encoded call by call as at once', { timeout: 60_000 }, () => {
    const encoder = fresh();
    const session = longSession(100).filter((call) => name !== 'looks around' || call.sampled.every((part) => part.kind === 'text'));
    const ids = session.map((call) => encoded(encoder, call).promptIds);
    for (const at of [0, ids.length >> 1, ids.length - 1]) expect(sameIds(ids[at] ?? new Int32Array(0), encoded(fresh(), session[at] ?? callOn(undefined, [])).promptIds)).toBe(true);
    expect(ids.at(-1)?.length).toBeGreaterThan(MESSAGES);
  });

  it.each([
    ['a megabyte in one line', 'ab cd '.repeat(170_000)],
    ['a word of a hundred thousand letters', 'x'.repeat(100_000)],
    ['NUL', 'a\0b\0\0'.repeat(1000)],
    ['control text only', '<|im_end|>'.repeat(5_000)],
  ])('and %s in it, stays whole', { timeout: 60_000 }, (_, text) => {
    const encoder = fresh();
    const [first, second] = [modelCall([user(text)], [says(`a${text}`)]), modelCall([user(text), reply(says(`a${text}`)), user('next')], [says('b')])];
    for (const call of [first, second]) {
      const { promptIds, outputText } = encoded(encoder, call);
      expect(tokenizer.decode(promptIds)).toContain(text);
      expect(outputText.length).toBe((call.sampled[0]?.kind === 'text' ? call.sampled[0].text.length : 0) + '<|im_end|>'.length);
      expect(sameIds(promptIds, encoded(fresh(), call).promptIds)).toBe(true);
    }
  });

  it('refuses a call whose text has a lone surrogate, and no other one', () => {
    const encoder = fresh();
    const broken = modelCall([user('a'), reply(says('b')), user('c\ud800')], [says('d')]);
    const [before, after] = [modelCall([user('a')], [says('b')]), modelCall([user('a'), reply(says('b')), user('c')], [says('d')])];
    expect(encoder.encodeCall(before, {})).toEqual(fresh().encodeCall(before, {}));
    expect(encoder.encodeCall(broken, {})).toMatchObject({ refused: 'not-encodable' });
    expect(encoder.encodeCall(after, {})).toEqual(fresh().encodeCall(after, {}));
    expect(template.render({ messages: [{ role: 'user', content: 'c\ud800d\0' }], addGenerationPrompt: false })).toContain('c\ud800d\0');
  });
});

const folder = sharedFile('conformance/render/templates');
const FAMILIES = ['deepseek-v3.1', 'gemma-3', 'glm-4.6', 'gpt-oss', 'granite-4.0', 'kimi-k2', 'llama-3.1', 'minimax-m2', 'mistral-nemo', 'qwen3.5'];

describe.skipIf(folder === undefined)('other templates', () => {
  it.each(FAMILIES)('render three thousand messages, with a memo as without: %s', { timeout: 60_000 }, (name) => {
    const template = loadTemplate({ name, text: readFileSync(join(folder ?? '', `${name}.jinja`), 'utf8'), source: name, endOfTurn: '', now: '2026-01-15T12:34:56', variables: { bos_token: '<s>', eos_token: '</s>' } });
    const messages = Array.from({ length: 3000 }, (_, index): TemplateMessage => (index % 2 === 0 ? { role: 'user', content: `q${index}` } : { role: 'assistant', content: `a${index}`, reasoning_content: 'r' }));
    const memo = new RequestMemo();
    for (const length of [1, 2, 1001, 2999, 3000]) {
      const request = { messages: messages.slice(0, length), addGenerationPrompt: length % 2 === 1 };
      expect(outcome(() => textOf(template, request, memo))).toBe(outcome(() => template.render(request)));
    }
  });
});

function textOf(template: JinjaChatTemplate, request: Parameters<JinjaChatTemplate['render']>[0], memo: RequestMemo): string {
  const text = template.renderSegments(request, 'plain', memo).textAfter(undefined);
  return typeof text === 'string' ? text : text.text;
}

/** A matcher would print a million ids. */
function sameIds(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

function outcome(action: () => string): string {
  try {
    return action();
  } catch (error) {
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}
