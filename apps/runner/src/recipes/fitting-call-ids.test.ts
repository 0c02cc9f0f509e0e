import { extendPrompt, promptMessages, type MessagePart, type ModelCall, type PromptNode, type Session, type SessionMessage } from '@turnwright/contracts';
import { describe, expect, test } from 'vitest';
import { fitCallIds } from './fitting-call-ids.js';

const KIMI = { kind: 'named', prefix: 'functions.', ordinal: ':' } as const;
const bytes = { exactness: 'bytes' } as const;
const called = (id: string | undefined, name = 'run'): MessagePart => ({ kind: 'tool-call', ...(id === undefined ? {} : { id }), name, arguments: '{}', author: 'sampled', ...bytes });
const answer = (id: string): SessionMessage => ({ role: 'tool', parts: [{ kind: 'tool-result', toolCallId: id, text: 'x', author: 'tool', ...bytes }] });
const user: SessionMessage = { role: 'user', parts: [{ kind: 'text', text: 'a', author: 'user', ...bytes }] };
const path = (...messages: readonly SessionMessage[]): PromptNode | undefined => messages.reduce<PromptNode | undefined>(extendPrompt, undefined);
const reply = (...parts: readonly MessagePart[]): SessionMessage => ({ role: 'assistant', parts });

function sessionOf(...calls: readonly { readonly head: PromptNode | undefined; readonly sampled: readonly MessagePart[] }[]): Session {
  const all = calls.map(({ head, sampled }, index): ModelCall => ({ id: String(index), identity: String(index), prompt: { status: 'exact', reasons: [], head }, sampled, finishReason: 'stop', loss: true, position: { file: 'f', line: 0, byteOffset: 0 } }));
  return { id: 's', reader: 'test', files: [], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: all, operations: [], diagnostics: [] };
}

const idsOf = (parts: readonly MessagePart[]): (string | undefined)[] => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : part.kind === 'tool-result' ? [part.toolCallId] : []));
const promptIds = (call: ModelCall | undefined): (string | undefined)[] => promptMessages(call?.prompt.head).flatMap(({ parts }) => idsOf(parts));

describe('ids of calls', () => {
  test('are counted over the conversation, in replies and results alike', () => {
    const first = path(user);
    const later = path(user, reply(called('toolu_1', 'read'), called('toolu_2')), answer('toolu_2'), answer('toolu_1'));
    const { calls } = fitCallIds(sessionOf({ head: first, sampled: [called('toolu_1', 'read'), called('toolu_2')] }, { head: later, sampled: [called('toolu_3')] }), KIMI);
    expect(idsOf(calls[0]?.sampled ?? [])).toEqual(['functions.read:0', 'functions.run:1']);
    expect(promptIds(calls[1])).toEqual(['functions.read:0', 'functions.run:1', 'functions.run:1', 'functions.read:0']);
    expect(idsOf(calls[1]?.sampled ?? [])).toEqual(['functions.run:2']);
  });

  test('that fit are kept, and so are the nodes that prompts share', () => {
    const head = path(user, reply(called('functions.run:7')), answer('functions.run:7'));
    const { calls } = fitCallIds(sessionOf({ head, sampled: [called('functions.run:8')] }), KIMI);
    expect(calls[0]?.prompt.head).toBe(head);
    expect(idsOf(calls[0]?.sampled ?? [])).toEqual(['functions.run:8']);
  });

  test('are nine letters and digits for Mistral, the same in every run and for the same call', () => {
    const head = path(user, reply(called('toolu_1')), answer('toolu_1'));
    const fitted = (): (string | undefined)[] => promptIds(fitCallIds(sessionOf({ head, sampled: [] }), { kind: 'nine-alphanumerics' }).calls[0]);
    const [id, answered] = fitted();
    expect(id).toMatch(/^[0-9A-Za-z]{9}$/);
    expect(answered).toBe(id);
    expect(fitted()).toEqual([id, answered]);
    expect(idsOf(fitCallIds(sessionOf({ head: path(user), sampled: [called('a1B2c3D4e'), called(undefined)] }), { kind: 'nine-alphanumerics' }).calls[0]?.sampled ?? [])).toEqual(['a1B2c3D4e', expect.stringMatching(/^[0-9A-Za-z]{9}$/)]);
  });

  test('of results without a call are left alone', () => {
    expect(promptIds(fitCallIds(sessionOf({ head: path(user, answer('lost')), sampled: [] }), KIMI).calls[0])).toEqual(['lost']);
  });

  test('of five thousand turns take no longer than the turns do', () => {
    let head = path(user);
    const turns = Array.from({ length: 5000 }, (_, index) => {
      const before = head;
      head = extendPrompt(extendPrompt(head, reply(called(`toolu_${String(index)}`))), answer(`toolu_${String(index)}`));
      return { head: before, sampled: [called(`toolu_${String(index)}`)] };
    });
    expect(idsOf(fitCallIds(sessionOf(...turns), KIMI).calls.at(-1)?.sampled ?? [])).toEqual(['functions.run:4999']);
  });
});
