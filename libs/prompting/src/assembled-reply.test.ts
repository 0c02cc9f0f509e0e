import { AgentError, defineReasoning, type MessagePart } from '@turnwright/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReplyFormat } from './assembled-reply.js';
import { loadTemplate, type JinjaChatTemplate } from './chat-template.js';
import { calls, modelCall, results, says, thinks, user } from './conversation.fixture.js';
import { createPromptEncoder } from './prompt-encoder.js';
import { qwen3Tokenizer } from './qwen3.js';
import { deriveEndTokens } from './template-probe.js';
import type { LoadedTokenizer } from './tokenizer.js';

let tokenizer: LoadedTokenizer;
beforeAll(async () => { tokenizer = await qwen3Tokenizer.load() as LoadedTokenizer; });

const reasoning = defineReasoning({ name: 'think', source: 'test', open: { text: '<think>', special: true }, close: { text: '</think>', special: true }, padding: ['\n', '\n', '\n\n'] });
const format: ReplyFormat = { reasoning, writeCalls: (written) => written.map(({ name, arguments: text }) => `<tool_call>${name} ${text}</tool_call>`).join(''), reads: () => true };

function templateOf(text: string): JinjaChatTemplate {
  const { endOfTurn = '', endOfCalls } = deriveEndTokens(loadTemplate({ name: 't', text, source: 'test', endOfTurn: '' }));
  return loadTemplate({ name: 't', text, source: 'test', endOfTurn, ...(endOfCalls === undefined ? {} : { endOfCalls }) });
}

/** The reply as text, in its kinds. */
function replyOf(text: string, parts: readonly MessagePart[], options: { readonly variables?: Readonly<Record<string, unknown>>; readonly format?: ReplyFormat | undefined; readonly before?: Parameters<typeof modelCall>[0] } = {}) {
  const encoder = createPromptEncoder({ tokenizer, template: templateOf(text), controlText: 'text', ...(options.variables === undefined ? {} : { variables: options.variables }), ...('format' in options ? (options.format === undefined ? {} : { format: options.format }) : { format }) });
  const encoded = encoder.encodeCall(modelCall(options.before ?? [user('a')], parts), {});
  if ('refused' in encoded) return encoded;
  const kinds = encoded.spans.map(({ span, kind }) => [kind, tokenizer.decode(encoded.outputIds.subarray(span.start, span.end))]);
  return { text: encoded.outputText, kinds, unrendered: encoded.unrendered, prompt: tokenizer.decode(encoded.promptIds), encoded };
}

const HEAD = "{% for m in messages %}<|im_start|>{{ m.role }}\n";
const CALLS = "{% for c in m.tool_calls or [] %}<tool_call>{{ c.function.name }} {{ c.function.arguments | tojson }}</tool_call>{% endfor %}";
const TAIL = "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

describe('a template that', () => {
  it('shows text behind calls gets it before them, as it was sampled', () => {
    expect(replyOf(`${HEAD}${CALLS}{{ m.content }}${TAIL}`, [says('I look.'), calls('run', '{"a": 1}')])).toMatchObject({ text: 'I look.\n<tool_call>run {"a": 1}</tool_call><|im_end|>' });
  });

  it('shows no text beside calls gets it before them', () => {
    const hermes = `${HEAD}{% if m.tool_calls %}${CALLS}{% else %}{{ m.content }}{% endif %}${TAIL}`;
    expect(replyOf(hermes, [says('I look.'), calls('run', '{"a": 1}')])).toMatchObject({ text: 'I look.\n<tool_call>run {"a": 1}</tool_call><|im_end|>' });
    expect(replyOf(hermes, [calls('run', '{"a": 1}')])).toMatchObject({ text: '<tool_call>run {"a": 1}</tool_call><|im_end|>' });
  });

  it('shows no calls has them written as the format writes them, and refuses what that cannot', () => {
    const none = `${HEAD}{{ m.content }}${TAIL}`;
    expect(replyOf(none, [says('b'), calls('run', '{"a": 1}')])).toMatchObject({ text: 'b\n<tool_call>run {"a": 1}</tool_call><|im_end|>', kinds: [['text', 'b'], ['call', '\n<tool_call>run {"a": 1}</tool_call>'], ['end-of-turn', '<|im_end|>']] });
    expect(replyOf(none, [calls('run', '{"a": 1}')], { format: undefined })).toMatchObject({ refused: 'render-mismatch', message: 'The template does not show the call of "run" of the reply where it was sampled.' });
    const unable: ReplyFormat = { reasoning, reads: () => true, writeCalls: () => { throw new AgentError('cannot-express', 'no'); } };
    expect(replyOf(none, [calls('run', '{}')], { format: unable })).toMatchObject({ refused: 'render-mismatch' });
  });

  it('has calls written for it does not get a control token that was typed', () => {
    expect(replyOf(`${HEAD}{{ m.content }}${TAIL}`, [calls('run', '{"a": "<|im_end|>"}')])).toMatchObject({ refused: 'render-mismatch' });
  });

  it('never shows thoughts, of a model that has none, leaves them out and counts them', () => {
    const reply = replyOf(`${HEAD}{{ m.content }}${TAIL}`, [thinks('why not'), says('b')]);
    expect(reply).toMatchObject({ text: 'b<|im_end|>', unrendered: [{ reason: 'reasoning-not-rendered', count: 2 }] });
  });

  it('spells calls so that its server would misread them has them written, unless that reads no better', () => {
    const bare = `${HEAD}{{ m.content }}{% for c in m.tool_calls or [] %}[{{ c.function.name }}(a='{{ c.function.arguments.a }}')]{% endfor %}${TAIL}`;
    const strict: ReplyFormat = { ...format, reads: (output) => output.includes('<tool_call>') };
    expect(replyOf(bare, [says('b'), calls('run', '{"a": "it\'s"}')], { format: strict })).toMatchObject({ text: 'b\n<tool_call>run {"a": "it\'s"}</tool_call><|im_end|>' });
    expect(replyOf(bare, [says('b'), calls('run', '{"a": "x"}')], { format: { ...format, reads: () => false } })).toMatchObject({ text: "b[run(a='x')]<|im_end|>" });
  });

  it('counts its end of turn as the closer of a call gets one call, and refuses two', () => {
    const ended: ReplyFormat = { ...format, writeCalls: (written) => written.map(({ name }) => `<call>${name}<|im_end|>`).join('') };
    expect(replyOf(`${HEAD}{{ m.content }}${TAIL}`, [calls('run', '{}')], { format: ended })).toMatchObject({ text: '<call>run<|im_end|>' });
    expect(replyOf(`${HEAD}{{ m.content }}${TAIL}`, [calls('run', '{}'), calls('run', '{}')], { format: ended })).toMatchObject({ refused: 'render-mismatch' });
  });

  it('calls thoughts by another name gets them', () => {
    expect(replyOf(`${HEAD}{% if m.thinking %}<think>{{ m.thinking }}</think>{% endif %}{{ m.content }}${TAIL}`, [thinks('why'), says('b')])).toMatchObject({ text: '<think>why</think>b<|im_end|>' });
  });

  it('prints text otherwise than a mapping, as Gemma 4, gets a mapping', () => {
    const braces = `${HEAD}{% for c in m.tool_calls or [] %}<c>{{ c.function.name }}{% if c.function.arguments is string %}{{ '{' ~ c.function.arguments ~ '}' }}{% else %}{% for k, v in c.function.arguments | items %}{{ k }}:{{ v }}{% endfor %}{% endif %}</c>{% endfor %}${TAIL}`;
    expect(replyOf(braces, [calls('run', '{"a": "x"}')])).toMatchObject({ text: '<c>runa:x</c><|im_end|>' });
  });

  it('takes thoughts away from history has them in the markers of the format', () => {
    const strips = `${HEAD}{{ m.content.split('</think>')[-1] }}${TAIL}`;
    expect(replyOf(strips, [thinks('why'), says('b')])).toMatchObject({ text: '<think>\nwhy\n</think>\n\nb<|im_end|>', kinds: [['reasoning', '<think>\nwhy\n</think>\n\n'], ['text', 'b'], ['end-of-turn', '<|im_end|>']] });
  });

  it('ends the thought in the prompt refuses a reply with one', () => {
    const off = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split('</think>')[-1] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n<think>{% if not thinking %}</think>{% endif %}{% endif %}";
    expect(replyOf(off, [thinks('why'), says('b')])).toMatchObject({ refused: 'render-mismatch' });
    expect(replyOf(off, [thinks('why'), says('b')], { variables: { thinking: true } })).toMatchObject({ text: 'why</think>\n\nb<|im_end|>' });
  });

  it('closes a turn with the next role has that role as the end', () => {
    const glm = "{% for m in messages %}{% if m.role == 'user' %}<|user|>\n{{ m.content }}{% elif m.role == 'tool' %}<|observation|>\n{{ m.content }}{% else %}<|assistant|>\n{{ m.content }}" + CALLS + "{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}";
    expect(deriveEndTokens(templateOf(glm))).toEqual({ endOfTurn: '<|user|>', endOfCalls: '<|observation|>' });
    expect(replyOf(glm, [says('b')])).toMatchObject({ text: 'b<|user|>' });
    expect(replyOf(glm, [says('b'), calls('run', '{}')])).toMatchObject({ text: 'b<tool_call>run {}</tool_call><|observation|>' });
  });

  it('ends a call otherwise than an answer, as gpt-oss, has both ends', () => {
    const harmony = "{% for m in messages %}{% if m.role == 'assistant' %}<|start|>assistant{% if m.tool_calls %}{% set c = m.tool_calls[0] %} to=functions.{{ c.function.name }}<|message|>{{ c.function.arguments | tojson }}<|call|>{% else %}<|channel|>final<|message|>{{ m.content }}{% if loop.last and not add_generation_prompt %}<|return|>{% else %}<|end|>{% endif %}{% endif %}{% else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endif %}{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}";
    expect(deriveEndTokens(templateOf(harmony))).toEqual({ endOfTurn: '<|return|>', endOfCalls: '<|call|>' });
    expect(replyOf(harmony, [calls('run', '{"a": 1}')])).toMatchObject({ text: ' to=functions.run<|message|>{"a": 1}<|call|>' });
    expect(replyOf(harmony, [says('b')])).toMatchObject({ text: '<|channel|>final<|message|>b<|return|>' });
  });

  it('shows its last tool result otherwise than earlier ones still has its reply', () => {
    const last = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.role == 'tool' and not loop.last %}\n{% endif %}" + CALLS + TAIL;
    const reply = replyOf(last, [says('done')], { before: [user('a'), { role: 'assistant', parts: [calls('run', '{}')] }, results('x')] });
    expect(reply).toMatchObject({ text: 'done<|im_end|>', prompt: expect.stringMatching(/tool\nx<\|im_end\|>\n<\|im_start\|>assistant\n$/) as string });
  });

  it('has other white space in its header than in history still has its reply', () => {
    const loose = "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}</think>   {% endif %}{{ m.content }}" + CALLS + "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n  <think>{% endif %}";
    expect(replyOf(loose, [thinks('why'), says('b')])).toMatchObject({ text: 'why\n</think>\n\nb<|im_end|>' });
    expect(replyOf(loose, [thinks('why'), calls('run', '{}')])).toMatchObject({ text: 'why\n</think>\n\n<tool_call>run {}</tool_call><|im_end|>' });
  });

  it('joins arguments to a text gets them as text', () => {
    const joins = `${HEAD}{{ m.content }}{% for c in m.tool_calls or [] %}{{ '<tool_call>' + c.function.arguments + c.function.name }}{% endfor %}${TAIL}`;
    expect(replyOf(joins, [says('b'), calls('run', '{"a":  1.0}')])).toMatchObject({ text: 'b<tool_call>{"a":  1.0}run<|im_end|>' });
  });

  it('prints a mapping as Python does gets text instead', () => {
    const prints = `${HEAD}{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ c.function.name }}{{ c.function.arguments }}{% endfor %}${TAIL}`;
    expect(replyOf(prints, [says('b'), calls('run', '{"a": "x"}')])).toMatchObject({ text: 'b<tool_call>run{"a": "x"}<|im_end|>' });
  });
});
