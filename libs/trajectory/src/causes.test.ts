import { describe, expect, test } from 'vitest';
import type { BoundaryCause, TokenSpanKind } from '@turnwright/contracts';
import { createTurnRecorder, lossless } from './index.js';

/** A word or a character a token, so that a text has more than one spelling in ids. */
class Words {
  private readonly ids = new Map<string, number>();
  private readonly texts: string[] = [];

  encode(text: string, pieces: RegExp = /<[^>]+>|\w+|\s+|./gs): number[] {
    return (text.match(pieces) ?? []).map((piece) => {
      const id = this.ids.get(piece) ?? this.texts.push(piece) - 1;
      this.ids.set(piece, id);
      return id;
    });
  }

  decode = (ids: Int32Array): string => [...ids].map((id) => this.texts[id]).join('');
}

interface Case {
  readonly because: string;
  readonly prompt: string;
  readonly output: string;
  readonly next: string;
  /** The next prompt in single characters. */
  readonly characters?: true;
  readonly spans?: readonly [kind: TokenSpanKind, text: string][];
}

const system = 'system: You are a coder.\nIt is 2026-01-01 10:15.\nBe brief.\n';
const tools = '<tools>\n{"type": "function", "name": "read"}\n</tools>\n';
const user = 'user: list the files please\n';

const CASES: readonly [cause: BoundaryCause, title: string, entry: Case][] = [
  ['retokenised-history', 'the answer in other tokens', { because: 'the text is the same', prompt: user, output: 'hello there<end>', next: `${user}hello there<end>more`, characters: true }],
  ['harness-rewrite', 'an answer that the harness changed', { because: 'the text is another one', prompt: user, output: 'hello there<end>', next: `${user}hello you<end>more` }],
  ['harness-rewrite', 'a tool result that the harness cut', { because: 'nobody sampled it and it says something else', prompt: user, output: 'call<end>tool: a very long result<end>', next: `${user}call<end>tool: [cleared]<end>more` }],
  ['whitespace', 'an answer that was stripped', { because: 'only white space is gone', prompt: user, output: '\n\nhello there <end>', next: `${user}hello there<end>more` }],
  ['template-dropped-reasoning', 'a thought that is gone, told from the text', { because: 'what follows the thought is there', prompt: user, output: '<think>hm, well</think>\n\nhello there<end>', next: `${user}hello there<end>more` }],
  ['template-dropped-reasoning', 'a thought that the prompt had opened', { because: 'only its closer stands in the output', prompt: `${user}<think>`, output: 'hm, well</think>hello there<end>', next: `${user}<think>hello there<end>more` }],
  ['argument-reserialisation', 'arguments with other spaces and another order', { because: 'the values are the same', prompt: user, output: 'call {"path": "a b", "n": 1}<end>', next: `${user}call {"n":1,"path":"a b"}<end>more` }],
  ['argument-reserialisation', 'arguments with a default filled in (slime 2282)', { because: 'nothing that was sampled is gone', prompt: user, output: 'call {"path": "a"}<end>', next: `${user}call {"replace_all": false, "path": "a"}<end>more` }],
  ['argument-reserialisation', 'arguments with other escapes', { because: 'the values are the same', prompt: user, output: 'call {"path": "\\u00e9"}<end>', next: `${user}call {"path": "é"}<end>more` }],
  ['harness-rewrite', 'arguments with another value', { because: 'the values differ', prompt: user, output: 'call {"path": "a"}<end>', next: `${user}call {"path": "b"}<end>more` }],
  ['volatile-header', 'a clock in the system prompt', { because: 'a time before the first reply, and all else is the same', prompt: system + user, output: 'hello<end>', next: `${system.replace('10:15', '10:16')}${user}hello<end>more` }],
  ['volatile-header', 'a hash in a header line', { because: 'a hash before the first reply, and all else is the same', prompt: `header: v=1 cch=4f0a1\n${user}`, output: 'hello<end>', next: `header: v=1 cch=b33f2\n${user}hello<end>more` }],
  ['harness-rewrite', 'a system prompt with other words', { because: 'words are not volatile', prompt: system + user, output: 'hello<end>', next: `${system.replace('Be brief', 'Think long and hard')}${user}hello<end>more` }],
  ['tool-schema-change', 'another tool in the list', { because: 'the difference lies in the list of tools', prompt: tools + user, output: 'hello<end>', next: `${tools.replace('"read"', '"write"')}${user}hello<end>more` }],
  ['tool-schema-change', 'a list of tools that is gone (nano-rlm 73)', { because: 'one of the prompts begins a list of tools where they part', prompt: `system: s\n${tools}${user}`, output: 'hello<end>', next: `system: s\n${user}hello<end>summarise` }],
  ['whitespace', 'a system prompt with other spaces', { because: 'only white space differs', prompt: `system: a  b\n${user}`, output: 'hello<end>', next: `system: a b\n${user}hello<end>more` }],
];

function boundary({ prompt, output, next, characters }: Case, text: boolean) {
  const words = new Words();
  const recorder = createTurnRecorder();
  recorder.record({ id: 'a', promptIds: words.encode(prompt), outputIds: words.encode(output), finishReason: 'stop' });
  const nextIds = characters === undefined ? words.encode(next) : [...words.encode(prompt), ...words.encode(next.slice(prompt.length), /./gs)];
  recorder.record({ id: 'b', parentId: 'a', promptIds: nextIds, outputIds: words.encode('done'), finishReason: 'stop' });
  return lossless.merge(recorder.turns, text ? { decode: words.decode } : {}).outcomes[1]?.boundary;
}

describe('the cause of a boundary, told from text', () => {
  test.each(CASES.map(([cause, title, entry]) => [title, cause, entry] as const))('%s: %s', (_title, cause, entry) => {
    expect(boundary(entry, true)?.cause, entry.because).toBe(cause);
  });

  test('the first difference does not depend on it', () => {
    for (const [, title, entry] of CASES) expect(boundary(entry, true)?.firstDifference, title).toBe(boundary(entry, false)?.firstDifference);
  });
});
