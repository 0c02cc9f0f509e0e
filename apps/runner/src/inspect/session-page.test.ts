import { extendPrompt, type MessagePart, type ModelCall, type PromptNode, type Session } from '@turnwright/contracts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeSession, inDirectory, run, SESSION } from '../workspace.fixture.js';
import { pageOf, sessionPage } from './session-page.js';

const says = (text: string, author: MessagePart['author'] = 'sampled'): MessagePart => ({ kind: 'text', text, author, exactness: 'bytes' });
const position = { file: 'f', line: 0, byteOffset: 0 };
const call = (id: string, head: PromptNode | undefined, rest: Partial<ModelCall> = {}): ModelCall => ({ id, identity: id, prompt: { status: 'exact', reasons: [], head }, sampled: [says(`reply ${id}`)], finishReason: 'stop', loss: true, position, ...rest });
const ask = (parent: PromptNode | undefined, text: string): PromptNode => extendPrompt(parent, { role: 'user', parts: [says(text, 'user')] });
const answered = (parent: PromptNode, id: string): PromptNode => extendPrompt(parent, { role: 'assistant', callId: id, parts: [says(`reply ${id}`)] });
const session = (...calls: readonly ModelCall[]): Session => ({ id: 's', reader: 'test', files: ['f'], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls, operations: [{ kind: 'rewind', callId: 'c', detail: 'back <to> a', position }], diagnostics: [{ severity: 'warning', code: 'x', message: 'a & b' }] });

describe('the page of a session', () => {
  const first = ask(undefined, 'first question');
  const second = ask(answered(first, 'a'), 'second question');
  const branch = ask(answered(first, 'a'), 'another question');
  const page = sessionPage(session(call('a', first), call('b', second, { parentId: 'a' }), call('c', branch, { parentId: 'a', loss: false, lossReason: 'retracted-reply' })));
  const of = (id: string): string => page.slice(page.indexOf(`<b>${id}</b>`), page.indexOf('</details>', page.indexOf(`<b>${id}</b>`)));

  test('shows what is new in a prompt, and the reply', () => {
    expect(of('a')).toContain('first question');
    expect(of('b')).toContain('second question');
    expect(of('b')).not.toMatch(/first question|reply a/);
    expect(of('b')).toContain('<pre class="trained">reply b</pre>');
  });

  test('moves a branch to the right, says what happened before it, and why it is not trained', () => {
    expect([...page.matchAll(/margin-left:([\d.]+)rem/g)].map(([, rem]) => rem)).toEqual(['0', '0', '1.5']);
    expect(page).toContain('rewind: back &#60;to&#62; a');
    expect(of('c')).toContain('no loss: retracted-reply');
    expect(of('c')).toContain('<pre>reply c</pre>');
  });

  test('has no markup but its own', () => {
    const hostile = session(call('<script>', ask(undefined, '</pre><script>alert(1)</script>\0\ud800"\''), { model: '<img onerror=x>' }));
    const text = pageOf('<b>', [sessionPage(hostile)]);
    expect(text).not.toMatch(/<script|<img|\0|\ud800/);
    expect(text.match(/<details/g)).toHaveLength(1);
    expect(text).toContain('&#60;/pre&#62;&#60;script&#62;alert(1)');
  });

  test('takes ten thousand calls', () => {
    let head = ask(undefined, 'q');
    const calls = Array.from({ length: 10_000 }, (_, index) => {
      const made = call(String(index), head, index === 0 ? {} : { parentId: String(index - 1) });
      head = ask(answered(head, String(index)), 'more');
      return made;
    });
    expect(sessionPage(session(...calls)).match(/<details/g)).toHaveLength(10_000);
  });
});

test('inspect --html writes it, and refuses samples and places that cannot be written', () =>
  inDirectory(async (directory) => {
    const [file, page] = [join(directory, 's.jsonl'), join(directory, 'page.html')];
    await writeFile(file, claudeSession([{ text: 'One.', stop: 'end_turn' }, { text: 'Two.', stop: 'end_turn' }], 's'));
    expect(await run('inspect', file, '--html', page)).toEqual({ code: 0, out: `page ${page}`, err: '' });
    expect((await readFile(page, 'utf8')).match(/<details/g)).toHaveLength(2);
    expect(await run('inspect', file, '--html', join(directory, 'none', 'page.html'))).toMatchObject({ code: 3, err: expect.stringContaining('expected a place that can be written, found ENOENT') as string });
    await run('replay', SESSION, '--out', join(directory, 'out'));
    expect(await run('inspect', join(directory, 'out', 'samples-00000.jsonl'), '--html', page)).toMatchObject({ code: 2, err: expect.stringContaining('Option --html: expected a session, found samples') as string });
  }));
