import assert from 'node:assert/strict';
import type { MergeResult, TokenSegment, TurnRecord } from '@turnwright/contracts';
import { assembleSamples, expandTree, lossless, packSegments, slime, tokenReport, trimSegments } from './index.js';
import { recordTurns, startsWith, type PlainTurn } from './random-turns.fixture.js';

/** Everything that must hold of any session, whatever happened in it; each check is the slow and obvious one. */
export function checkInvariants(turns: readonly PlainTurn[]): void {
  const records = recordTurns(turns);
  const result = lossless.merge(records);
  eachTokenOnce(turns, result, 'lossless');
  for (const segment of result.segments) aligned(segment);
  for (const segment of result.segments) replays(segment, turns);
  assert.ok(result.segments.length <= fewest(turns), 'more segments than branches and rewrites');
  weightsSumToOne(result);
  treeIsFlat(records, result);
  eachTokenOnce(turns, slime.merge(records), 'slime');
  const equal = lossless.merge(records, { equalTerminators: [[1, 2]] });
  eachTokenOnce(turns, equal, 'equal terminators');
  assert.ok(equal.segments.length <= result.segments.length, 'equal terminators make more segments');
  for (const mode of ['front', 'split'] as const) {
    const trimmed = trimSegments(result, { maxTokens: 6, mode });
    eachTokenOnce(turns, trimmed, mode);
    for (const segment of trimmed.segments) {
      aligned(segment);
      assert.ok(segment.promptIds.length + segment.responseIds.length <= 6, 'a row over the maximum');
    }
  }
}

/** Trained once, in the row that says so, or excluded with a reason. */
function eachTokenOnce(turns: readonly PlainTurn[], { segments, outcomes }: MergeResult, policy: string): void {
  const trained = new Map(turns.map(({ id }) => [id, 0]));
  for (const segment of segments) {
    let inOutputs = 0;
    for (const { id, trained: trains, outputSpan } of segment.turns) {
      const turn = turns.find((candidate) => candidate.id === id);
      let count = 0;
      for (let at = outputSpan.start; at < outputSpan.end; at++) {
        if (segment.lossMask[at] === 0) continue;
        assert.equal(trains, true, `${policy}: a turn that is not trained here carries loss`);
        assert.equal(turn?.outputLossMask[at - outputSpan.start], 1, `${policy}: a token that may not be trained carries loss`);
        assert.equal(segment.responseIds[at], turn?.outputIds[at - outputSpan.start], `${policy}: a token that was not sampled carries loss`);
        count++;
      }
      trained.set(id, (trained.get(id) ?? 0) + count);
      inOutputs += count;
    }
    assert.equal(inOutputs, segment.lossMask.filter((bit) => bit === 1).length, `${policy}: loss outside every output`);
  }
  for (const [i, { id, outputLossMask }] of turns.entries()) {
    const outcome = outcomes[i];
    assert.equal(outcome?.trainedTokens, trained.get(id), `${policy}: the outcome of ${id} is not what the rows train`);
    assert.ok(outcome?.excluded.every(({ reason, count }) => reason !== '' && count > 0), `${policy}: an exclusion of nothing`);
    const excluded = outcome?.excluded.reduce((sum, { count }) => sum + count, 0) ?? 0;
    assert.equal((trained.get(id) ?? 0) + excluded, outputLossMask.filter((bit) => bit === 1).length, `${policy}: tokens of ${id} are lost or trained twice`);
  }
}

function aligned({ promptIds, responseIds, lossMask, logprobs, turns, spans }: TokenSegment): void {
  assert.equal(lossMask.length, responseIds.length);
  if (logprobs !== undefined) assert.equal(logprobs.length, responseIds.length);
  logprobs?.forEach((value, at) => { assert.ok(lossMask[at] === 1 || value === 0, 'a log-prob where nothing is trained'); });
  for (const { start, end } of [...turns.map(({ outputSpan }) => outputSpan), ...spans.map(({ span }) => span)]) assert.ok(start >= 0 && start <= end && end <= responseIds.length, 'a span outside the row');
  assert.ok(promptIds.length >= 0);
}

/** A row gives the prompt and output of each of its turns back. */
function replays({ promptIds, responseIds, turns: inRow }: TokenSegment, turns: readonly PlainTurn[]): void {
  const ids = [...promptIds, ...responseIds];
  for (const { id, outputSpan } of inRow) {
    const turn = turns.find((candidate) => candidate.id === id);
    assert.deepEqual(ids.slice(0, promptIds.length + outputSpan.start), turn?.promptIds);
    assert.deepEqual(ids.slice(promptIds.length + outputSpan.start, promptIds.length + outputSpan.end), turn?.outputIds);
  }
}

/** First calls and rewrites, and for each history that goes on in several ways all of them but one. */
function fewest(turns: readonly PlainTurn[]): number {
  let breaks = 0;
  const ways = new Map<string, number>();
  for (const [i, turn] of turns.entries()) {
    const ends = turns.slice(0, i).filter((other) => turn.parentId === undefined || other.id === turn.parentId).map((other) => [...other.promptIds, ...other.outputIds]);
    const continued = ends.filter((end) => startsWith(turn.promptIds, end)).sort((a, b) => b.length - a.length)[0];
    if (continued === undefined) breaks++;
    else ways.set(continued.join(), (ways.get(continued.join()) ?? 0) + 1);
  }
  return [...ways.values()].reduce((sum, count) => sum + count - 1, breaks);
}

function weightsSumToOne(mergeResult: MergeResult): void {
  for (const weightMode of ['equal', 'trained-tokens'] as const) {
    const { samples, skippedSegments } = assembleSamples({ sessionId: 's', rolloutId: 'r', groupId: 'g', reward: 1, mergeResult, weightMode, rewardMode: 'split' });
    assert.equal(samples.length + skippedSegments.length, mergeResult.segments.length);
    if (samples.length === 0) continue;
    assert.ok(Math.abs(samples.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9, 'weights do not sum to one');
    assert.ok(Math.abs(samples.reduce((sum, { reward }) => sum + (reward ?? 0), 0) - 1) < 1e-9, 'parts of the reward do not sum to it');
  }
}

function treeIsFlat(records: readonly TurnRecord[], { segments }: MergeResult): void {
  const tree = packSegments(segments);
  const flat = segments.map(({ promptIds, responseIds, lossMask, logprobs }) => ({ promptIds, responseIds, lossMask, ...(logprobs === undefined ? {} : { logprobs }) }));
  assert.deepEqual(expandTree(tree), flat);
  const report = tokenReport(records, segments, tree);
  assert.ok(report.treeTokens <= report.flatTokens && report.flatTokens <= report.separateTokens, 'packing makes tokens');
}
