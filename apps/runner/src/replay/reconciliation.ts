import { AgentError, type RecipeResult, type Session } from '@turnwright/contracts';

/**
 * Holds a recipe to its ledger: a line for every call of the session, and as many tokens with loss in the rows as the lines say.
 *
 * That each line adds up by itself is checked where the totals are made. throws AgentError `ledger-mismatch`
 */
export function requireReconciled(session: Session, { samples, ledger }: RecipeResult): void {
  const calls = new Set(session.calls.map(({ id }) => id));
  for (const { callId } of ledger) if (!calls.delete(callId)) throw mismatch(session, `the ledger has a line for call "${callId}", which the session does not have or which has a line already`);
  const [missing] = calls;
  if (missing !== undefined) throw mismatch(session, `the ledger has no line for call "${missing}"`);
  const trained = ledger.reduce((sum, entry) => sum + entry.trainedTokens, 0);
  const masked = samples.reduce((sum, { lossMask }) => sum + countOnes(lossMask), 0);
  if (trained !== masked) throw mismatch(session, `the ledger says ${String(trained)} trained tokens, the loss masks of the rows ${String(masked)}`);
}

function countOnes(mask: Uint8Array): number {
  let count = 0;
  for (const bit of mask) if (bit === 1) count++;
  return count;
}

function mismatch(session: Session, found: string): AgentError {
  return new AgentError('ledger-mismatch', `Session "${session.id}": expected a ledger that reconciles with the rows, found that ${found}.`, { fields: { sessionId: session.id } });
}
