import { expect, test } from 'vitest';
import { AgentError, definePlugin, extendPrompt, parsePlugin, promptMessages, unknownName, type SessionMessage } from './index.js';

test('an unknown name comes with what is known and the nearest', () => {
  expect(unknownName('format', 'qwen3coder', ['hermes', 'qwen3_coder']).message).toBe('Unknown format "qwen3coder". Known: hermes, qwen3_coder. Did you mean "qwen3_coder"?');
});

test('a broken environment ends with 3, a wrong use with 2, a ledger that does not add up with 1', () => {
  expect([new AgentError('missing-data', '').exitCode, new AgentError('bad-option', '').exitCode, new AgentError('ledger-mismatch', '').exitCode]).toEqual([3, 2, 1]);
});

test('a plugin of a wrong shape is refused with the field', () => {
  expect(() => parsePlugin({ apiVersion: 2, name: 'x' }, './x.ts')).toThrow(/^Plugin \.\/x\.ts: field "apiVersion" is wrong/);
  expect(() => definePlugin({ apiVersion: 1, name: 'x' })).toThrow(/it brings nothing/);
});

test('a prompt of ten thousand messages comes back in order', () => {
  const message = (index: number): SessionMessage => ({ role: 'user', parts: [{ kind: 'text', text: String(index), author: 'user', exactness: 'bytes' }] });
  let head = extendPrompt(undefined, message(0));
  for (let index = 1; index < 10_000; index++) head = extendPrompt(head, message(index));
  expect(promptMessages(head).map(({ parts: [part] }) => (part?.kind === 'text' ? Number(part.text) : -1))).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
});
