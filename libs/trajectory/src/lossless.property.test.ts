import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lossless } from './index.js';
import { plainTurns, recordTurns, seeded, startsWith, type PlainTurn } from './random-turns.fixture.js';

/** Slow and obvious: whole prompts compared with whole ends. */
function referenceRows(turns: readonly PlainTurn[]): { id: string; trained: boolean }[][] {
  const rows: { id: string; trained: boolean }[][] = [];
  const home = new Map<string, { id: string; trained: boolean }[]>();
  const endOf = (turn: PlainTurn) => [...turn.promptIds, ...turn.outputIds];
  const isLast = (turn: PlainTurn) => home.get(turn.id)?.at(-1)?.id === turn.id;
  for (const [i, turn] of turns.entries()) {
    const fitting = turns.slice(0, i).filter((other) => startsWith(turn.promptIds, endOf(other)));
    const deepest = Math.max(...fitting.map((other) => endOf(other).length));
    const candidates = turn.parentId === undefined ? fitting.filter((other) => endOf(other).length === deepest) : fitting.filter(({ id }) => id === turn.parentId);
    const before = candidates.find(isLast) ?? candidates[0];
    const beforeRow = before && home.get(before.id);
    if (before !== undefined && beforeRow !== undefined && isLast(before)) {
      beforeRow.push({ id: turn.id, trained: true });
      home.set(turn.id, beforeRow);
      continue;
    }
    const shared = before === undefined || beforeRow === undefined ? [] : beforeRow.slice(0, beforeRow.findIndex(({ id }) => id === before.id) + 1);
    const row = [...shared.map(({ id }) => ({ id, trained: false })), { id: turn.id, trained: true }];
    rows.push(row);
    home.set(turn.id, row);
  }
  return rows;
}

test('rows hold the turns that the reference says', () => {
  fc.assert(fc.property(plainTurns, (turns) => {
    const { segments } = lossless.merge(recordTurns(turns));
    expect(segments.map((segment) => segment.turns.map(({ id, trained }) => ({ id, trained })))).toEqual(referenceRows(turns));
  }), seeded('lossless rows'));
});

test('every token that may be trained is trained once, in its place, and nothing else is', () => {
  fc.assert(fc.property(plainTurns, (turns) => {
    const { segments, outcomes } = lossless.merge(recordTurns(turns));
    const trainedIn = new Map<string, number>();
    for (const { lossMask, responseIds, logprobs, turns: inRow } of segments) {
      expect(lossMask.length).toBe(responseIds.length);
      const expectedMask = responseIds.map(() => 0);
      const expectedLogprobs = new Float32Array(responseIds.length);
      for (const { id, trained, outputSpan } of inRow) {
        if (!trained) continue;
        trainedIn.set(id, (trainedIn.get(id) ?? 0) + 1);
        const turn = turns.find((candidate) => candidate.id === id);
        expectedMask.set(turn?.outputLossMask ?? [], outputSpan.start);
        expectedLogprobs.set(turn?.outputLogprobs?.map((value, k) => (turn.outputLossMask[k] === 1 ? value : 0)) ?? [], outputSpan.start);
      }
      expect([...lossMask]).toEqual([...expectedMask]);
      expect(logprobs ?? new Float32Array(responseIds.length)).toEqual(expectedLogprobs);
    }
    expect(turns.every(({ id }) => trainedIn.get(id) === 1)).toBe(true);
    expect(outcomes.map(({ trainedTokens }) => trainedTokens)).toEqual(turns.map(({ outputLossMask }) => outputLossMask.filter((bit) => bit === 1).length));
  }), seeded('lossless masks'));
});

test('a row gives the prompts and outputs of its turns back', () => {
  fc.assert(fc.property(plainTurns, (turns) => {
    const { segments, outcomes } = lossless.merge(recordTurns(turns));
    for (const [index, segment] of segments.entries()) {
      expect([...segment.promptIds]).toEqual(turns.find(({ id }) => id === segment.turns[0]?.id)?.promptIds);
      for (const { id, outputSpan } of segment.turns) {
        const turn = turns.find((candidate) => candidate.id === id);
        expect([...segment.promptIds, ...segment.responseIds.subarray(0, outputSpan.start)]).toEqual(turn?.promptIds);
        expect([...segment.responseIds.subarray(outputSpan.start, outputSpan.end)]).toEqual(turn?.outputIds);
        expect(outcomes.find((outcome) => outcome.id === id)?.segmentIndices).toContain(index);
      }
    }
  }), seeded('lossless replay'));
});

test('a turn has a boundary exactly when it opens a row', () => {
  fc.assert(fc.property(plainTurns, (turns) => {
    const { segments, outcomes } = lossless.merge(recordTurns(turns));
    const opening = segments.map((segment) => segment.turns.find(({ trained }) => trained)?.id);
    expect(outcomes.filter(({ boundary }) => boundary !== undefined).map(({ id }) => id)).toEqual(opening);
  }), seeded('lossless boundaries'));
});
