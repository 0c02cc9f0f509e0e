import { describe, expect, test } from 'vitest';
import { groupAdvantages, langgraphOutput, langgraphReader, toTensors, type LanggraphMessage } from '../index.js';

const ai = (responseMetadata: Record<string, unknown>): LanggraphMessage => ({ type: 'ai', responseMetadata });
const run: LanggraphMessage[] = [{ type: 'system' }, { type: 'human' }, ai({}), { type: 'tool' }, { type: 'tool' }, ai({ prompt_ids: [1, 2, 11, 12, 30, 13], response_mask: [1, 1, 0, 1] })];

describe('messages of a LangGraph run', () => {
  test('become the output that verl makes of them', () => {
    expect(langgraphOutput(run).output).toMatchObject({ promptIds: [1, 2], responseIds: [11, 12, 30, 13], responseMask: [1, 1, 0, 1], numTurns: 4, extraFields: {} });
    expect(langgraphOutput(run)).not.toHaveProperty('aborted');
    expect(langgraphOutput([...run, { type: 'tool' }]).output.numTurns).toBe(5);
    expect(langgraphOutput(run, { responseLength: 2 }).output).toMatchObject({ responseIds: [11, 12], responseMask: [1, 1] });
  });

  test('with an empty mask have no response, where verl takes the prompt for one', () => {
    expect(langgraphOutput([ai({ prompt_ids: [1, 2, 3], response_mask: [] })]).output).toMatchObject({ promptIds: [1, 2, 3], responseIds: [], responseMask: [] });
  });

  test.each<[string, LanggraphMessage[]]>([
    ['no messages', []],
    ['a last message from the user', [{ type: 'human' }]],
    ['no metadata', [{ type: 'ai' }]],
    ['no mask', [ai({ prompt_ids: [1] })]],
    ['ids that are no numbers', [ai({ prompt_ids: ['x'], response_mask: [1] })]],
    ['an id that is no integer', [ai({ prompt_ids: [1.5], response_mask: [] })]],
    ['a mask that is longer than the ids', [ai({ prompt_ids: [1], response_mask: [1, 1] })]],
    ['a mask value of 2', [ai({ prompt_ids: [1, 2], response_mask: [2] })]],
  ])('that cannot be read (%s) are a fallback that trains nothing and says so', (_what, messages) => {
    const { output, aborted } = langgraphOutput(messages);
    expect(output).toMatchObject({ promptIds: [0], responseIds: [0], responseMask: [0], numTurns: 1, extraFields: { aborted: true, abort_reason: aborted } });
    expect(aborted).toEqual(expect.any(String));
    expect(toTensors(output)).toMatchObject({ response_mask: { data: [0] }, extra_fields: { aborted: true } });
  });

  test('a fallback stays out of its group', () => {
    const rows = [{ rolloutId: 'a', reward: 1 }, { rolloutId: 'b', reward: 0 }, { rolloutId: 'c', reward: 0, status: 'aborted' as const }].map((row) => ({ groupId: 'g', ...row }));
    expect(groupAdvantages(rows)).toEqual([0.5, -0.5, 0]);
  });
});

describe('the reader', () => {
  const lines = [
    JSON.stringify({ id: 'one', reward: 0.5, messages: [{ type: 'human', content: 'é' }, { type: 'ai', content: '', response_metadata: { prompt_ids: [1, 5, 6], response_mask: [1, 0] } }] }),
    JSON.stringify([{ type: 'ai', data: { response_metadata: { prompt_ids: [1, 5], response_mask: [1] } } }]),
    JSON.stringify({ messages: [{ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', 'AIMessage'], kwargs: { response_metadata: { prompt_ids: [2, 6], response_mask: [1] } } }] }),
    '{"messages": [{"type": "ai"}',
    JSON.stringify({ id: 'one', messages: [{ type: 'ai', response_metadata: { prompt_ids: [1, 5], response_mask: [1] } }] }),
  ].join('\n');
  const bytes = new TextEncoder().encode(lines);
  const file = (size: number) => ({ path: 'runs.jsonl', sizeBytes: bytes.length, slice: () => Promise.reject(new Error('not needed')), stream: async function* () { for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size); } });

  test('knows its files by their content', () => {
    expect([langgraphReader.detect(bytes, 'x'), langgraphReader.detect(new TextEncoder().encode('{"messages":[]}'), 'x')]).toEqual([0.95, 0]);
  });

  test.each([1, 7, 100_000])('gives a session for each line, in whatever pieces the file comes (%i bytes)', async (size) => {
    const sessions = [];
    for await (const session of langgraphReader.read(file(size), { seenReplies: new Set() })) sessions.push(session);
    expect(sessions.map(({ id, reward, calls, diagnostics }) => [id, reward, calls[0]?.tokens, calls[0]?.loss, calls[0]?.lossReason, diagnostics.length])).toEqual([
      ['one', 0.5, { promptIds: [1], outputIds: [5, 6], outputLossMask: [1, 0] }, true, undefined, 0],
      ['runs.jsonl#1', undefined, { promptIds: [1], outputIds: [5], outputLossMask: [1] }, true, undefined, 0],
      ['runs.jsonl#2', undefined, { promptIds: [2], outputIds: [6], outputLossMask: [1] }, true, undefined, 0],
      ['runs.jsonl#3', undefined, { promptIds: [0], outputIds: [0], outputLossMask: [0] }, false, 'aborted-trajectory', 1],
      ['one', undefined, { promptIds: [1], outputIds: [5], outputLossMask: [1] }, false, 'copied-reply', 0],
    ]);
    expect(sessions[3]?.calls[0]).toMatchObject({ finishReason: 'aborted', position: { line: 3 } });
  });
});
