import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerTrajectoryRequest } from './index.js';

interface Case {
  readonly id: string;
  readonly op: string;
  readonly input: unknown;
  readonly expect: unknown;
}

/** Handed to developers beside the workspace, not part of it. */
const PACK = new URL('../../../../shared/conformance/trajectory/', import.meta.url);
const present = existsSync(PACK);
if (!present) console.log(`skipped: no conformance pack at ${PACK.pathname}`);

function read(file: string): Case[] {
  return present ? readFileSync(new URL(file, PACK), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Case) : [];
}

/** Floats are single precision on one side. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, entry: unknown) => (typeof entry === 'number' && !Number.isInteger(entry) ? Number(entry.toFixed(6)) : entry));
}

describe.skipIf(!present)('the trajectory conformance pack', () => {
  test.each(read('cases.jsonl').map((row) => [row.id, row] as const))('%s', (_id, { expect: expected, ...request }) => {
    expect(rounded(answerTrajectoryRequest(request))).toEqual({ id: request.id, result: rounded(expected) });
  });

  test('what fails upstream, or silently loses something, is a right result or a named error', () => {
    for (const request of read('upstream-failures.jsonl')) {
      const answer = answerTrajectoryRequest(request);
      const refused = /none_|_none|empty_response|_mismatch|rejected|longer|one_unscored|batch\/logprobs|clobbers/.test(request.id);
      expect('error' in answer ? ['bad-contract', 'length-mismatch', 'cannot-express', 'duplicate-name'].includes(answer.error.code) : false, request.id).toBe(refused);
    }
  });
});

test('an unknown operation is answered with an error', () => {
  expect(answerTrajectoryRequest({ id: '1', op: 'verl.nothing', input: {} })).toMatchObject({ id: '1', error: { code: 'unsupported' } });
});
