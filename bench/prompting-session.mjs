// A session of an agent that reads files, as a reader would give it: seeded, so that every run measures the same text.
import { extendPrompt } from '@turnwright/contracts';

const WORDS = 'return value import config handler request async await const function error path index module data test buffer stream parse token result session 数据 naïve'.split(' ');

export function createTexts(seed) {
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const word = () => WORDS[Math.floor(random() * WORDS.length)] + (random() < 0.2 ? `_${Math.floor(random() * 1000)}` : '');
  const line = () => '    '.repeat(1 + Math.floor(random() * 3)) + Array.from({ length: 4 + Math.floor(random() * 8) }, word).join(' ');
  return { lines: (count) => Array.from({ length: count }, line).join('\n') };
}

/** The calls of one session, each with the history of those before it. */
export function createSession({ turns, linesPerResult, seed = 7 }) {
  const texts = createTexts(seed);
  const part = (kind, rest, author) => ({ kind, ...rest, author, exactness: 'bytes' });
  let head = extendPrompt(undefined, { role: 'user', parts: [part('text', { text: `Fix the bug.\n${texts.lines(10)}` }, 'user')] });
  const calls = [];
  for (let turn = 0; turn < turns; turn++) {
    const sampled = [
      part('reasoning', { text: texts.lines(3) }, 'sampled'),
      part('text', { text: `I look at file ${turn}.` }, 'sampled'),
      part('tool-call', { id: `c${turn}`, name: 'read', arguments: JSON.stringify({ path: `src/file-${turn}.ts` }) }, 'sampled'),
    ];
    calls.push({ id: `call-${turn}`, identity: `call-${turn}`, prompt: { status: 'exact', reasons: [], head }, sampled, finishReason: 'tool-calls', loss: true, position: { file: 'bench', line: turn, byteOffset: 0 } });
    head = extendPrompt(extendPrompt(head, { role: 'assistant', parts: sampled }), { role: 'tool', parts: [part('tool-result', { toolCallId: `c${turn}`, text: texts.lines(linesPerResult) }, 'tool')] });
  }
  return calls;
}

/** The messages of a call's prompt and its reply, in a template's names: what somebody gives who renders all of it at every turn. */
export function templateMessages(call, { systemPrompt }) {
  const nodes = [];
  for (let node = call.prompt.head; node !== undefined; node = node.parent) nodes.push(node.message);
  const textOf = (parts, kind) => parts.filter((entry) => entry.kind === kind).map((entry) => entry.text).join('');
  const messageOf = ({ role, parts }) => ({
    role,
    content: textOf(parts, role === 'tool' ? 'tool-result' : 'text'),
    ...(role !== 'assistant' ? {} : {
      reasoning_content: textOf(parts, 'reasoning'),
      tool_calls: parts.filter((entry) => entry.kind === 'tool-call').map((entry) => ({ id: entry.id, type: 'function', function: { name: entry.name, arguments: entry.arguments } })),
    }),
  });
  const prompt = [{ role: 'system', content: systemPrompt }, ...nodes.reverse().map(messageOf)];
  return { prompt, whole: [...prompt, messageOf({ role: 'assistant', parts: call.sampled })] };
}
