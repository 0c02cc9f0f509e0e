import fc from 'fast-check';
import { test } from 'vitest';
import { checkInvariants } from './invariants.fixture.js';
import { plainTurns, seeded, TREES } from './random-turns.fixture.js';

test('whatever happens in a session, every token is accounted for in every form', { timeout: 30 * 60_000 }, () => {
  fc.assert(fc.property(plainTurns, (turns) => { checkInvariants(turns); }), seeded('random trees', TREES));
});
