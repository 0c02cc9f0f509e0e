const SMALLEST_NORMAL = 2 ** -126;

/**
 * The shortest text that gives the same single-precision number back.
 *
 * Negative zero is `-0.0`: Python reads `-0` as the integer 0.
 */
export function float32Text(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0';
  // Up to 6 digits survive single precision, below its normal range fewer, and 9 always suffice.
  for (let digits = Math.abs(value) < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** The shortest text that gives the same double back. */
export function float64Text(value: number): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}
