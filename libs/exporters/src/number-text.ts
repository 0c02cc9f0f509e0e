const SMALLEST_NORMAL = 2 ** -126;

/** Exact as doubles, so that an integer divided by one is the double nearest to the decimal number. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${String(exponent)}`));

/**
 * The shortest text that gives the same single-precision number back.
 *
 * Negative zero is `-0.0`: Python reads `-0` as the integer 0.
 */
export function float32Text(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0';
  const size = Math.abs(value);
  const decimal = shortestDecimal(size);
  return decimal === undefined ? precisionText(value, size) : (value < 0 ? '-' : '') + pointed(decimal.digits, decimal.decimals);
}

/**
 * The fewest digits that give a number of the range [1e-6, 1e5) back, as an integer and how many of its digits are decimals.
 *
 * Up to 6 digits survive single precision, and 9 always suffice. undefined outside of the range, or where doubles are too coarse to tell.
 */
export function shortestDecimal(size: number): { readonly digits: number; readonly decimals: number } | undefined {
  if (!(size >= 1e-6 && size < 1e5)) return undefined;
  let decimals = 1;
  while (size * (POWERS_OF_TEN[decimals] ?? 1) < 1e5) decimals++;
  for (const most = decimals + 3; decimals <= most; decimals++) {
    const scale = POWERS_OF_TEN[decimals] ?? 1;
    const digits = Math.round(size * scale);
    if (Math.fround(digits / scale) === size) return { digits, decimals };
  }
  return undefined;
}

function pointed(digits: number, decimals: number): string {
  let [shorter, places] = [digits, decimals];
  while (places > 0 && shorter % 10 === 0) [shorter, places] = [shorter / 10, places - 1];
  if (places === 0) return String(shorter);
  const text = String(shorter).padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** Below the normal range fewer than 6 digits may do. */
function precisionText(value: number, size: number): string {
  for (let digits = size < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** The shortest text that gives the same double back. */
export function float64Text(value: number): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}
