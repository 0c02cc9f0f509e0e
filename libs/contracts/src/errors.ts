/** Every code that an error of Turnwright can carry; the union is closed so that callers can switch on it. */
export type ErrorCode =
  | 'bad-option'
  | 'conflicting-options'
  | 'missing-input'
  | 'no-sessions'
  | 'unknown-name'
  | 'duplicate-name'
  | 'empty-registry'
  | 'bad-plugin'
  | 'bad-format'
  | 'bad-contract'
  | 'cannot-express'
  | 'unwritable-output'
  | 'missing-data'
  | 'template-failed'
  | 'tokenizer-failed'
  | 'ledger-mismatch'
  | 'length-mismatch'
  | 'missing-parent'
  | 'cycle'
  | 'closed'
  | 'no-trainable-tokens'
  | 'logprobs-missing'
  | 'unknown-session-format'
  | 'plugin-failed'
  | 'unsupported';

/** How the process ends for an error: 1 some sessions refused, 2 usage, 3 environment. */
export type ExitCode = 1 | 2 | 3;

const ENVIRONMENT: ReadonlySet<ErrorCode> = new Set(['unwritable-output', 'missing-data', 'tokenizer-failed']);

/** The one error class: a broken environment or a wrong use, never an output of a model. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: ErrorCode;
  /** What the message names, for machines. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { readonly fields?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? {};
  }

  get exitCode(): ExitCode {
    return ENVIRONMENT.has(this.code) ? 3 : this.code === 'ledger-mismatch' ? 1 : 2;
  }
}

/** States a programmer's expectation; a failure is our bug, not the caller's input. */
export function assert(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${expectation}`);
}

/** `Unknown format "qwen3coder". Known: hermes, qwen3_coder. Did you mean "qwen3_coder"?` */
export function unknownName(kind: string, name: string, known: readonly string[]): AgentError {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new AgentError('unknown-name', `Unknown ${kind} "${name}". Known: ${[...known].sort().join(', ') || '(none)'}.${hint}`, { fields: { kind, name, known } });
}

function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
