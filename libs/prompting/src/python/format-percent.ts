import { isStr, TextBuilder, textOf } from './data-text.js';
import { formatValue, firstCodePoints } from './format-spec.js';
import { integer, toDouble } from './numbers.js';
import { toRepr, toStr } from './print.js';
import { isInteger, isNumber, typeName } from './types.js';
import { Dict, Float, isList, PythonError, Tuple, typeError, Undefined, type Str, type Value } from './values.js';

const DIRECTIVE = /%(?:\(([^)]*)\))?([-#0 +]*)(\*|[0-9]+)?(?:\.(\*|[0-9]+))?[hlL]?(.)?/gsu;

/** `template % values` */
export function formatPercent(template: Str, values: Value): Str {
  const into = new TextBuilder();
  const text = textOf(template);
  const source = new ValueSource(values);
  let start = 0;
  for (const match of text.matchAll(DIRECTIVE)) {
    into.add(text.slice(start, match.index));
    start = match.index + match[0].length;
    const [whole, name, flags = '', width, precision, type] = match;
    if (type === undefined) throw new PythonError('ValueError', 'incomplete format');
    if (type === '%') into.add('%');
    else into.add(directive({ flags, width: numberIn(width, source), precision: numberIn(precision, source), type }, source.next(name), match.index + whole.length - 1));
  }
  into.add(text.slice(start));
  source.end();
  return into.build();
}

class ValueSource {
  private index = 0;
  private readonly items: readonly Value[];

  constructor(private readonly values: Value) {
    this.items = values instanceof Tuple ? values.items : [values];
  }

  next(name: string | undefined): Value {
    if (name !== undefined) {
      if (!(this.values instanceof Dict)) throw typeError('format requires a mapping');
      const found = this.values.get(name);
      if (found === undefined) throw new PythonError('KeyError', `'${name}'`);
      this.index = this.items.length;
      return found;
    }
    const item = this.items[this.index++];
    if (item === undefined) throw typeError('not enough arguments for format string');
    return item;
  }

  end(): void {
    // Whatever can be subscripted counts as a mapping, of which not everything need be used.
    const mapping = this.values instanceof Dict || isList(this.values) || this.values instanceof Undefined;
    if (this.index < this.items.length && !mapping) throw typeError('not all arguments converted during string formatting');
  }
}

function numberIn(text: string | undefined, source: ValueSource): number | undefined {
  if (text !== '*') return text === undefined ? undefined : Number(text);
  const value = source.next(undefined);
  if (typeof value !== 'number') throw typeError('* wants int');
  return value;
}

interface Directive {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly type: string;
}

function directive({ flags, width, precision, type }: Directive, value: Value, position: number): Str {
  const align = flags.includes('-') ? '<' : '>';
  if ('sra'.includes(type)) {
    const text = type === 's' ? toStr(value) : toRepr(value);
    return formatValue(precision === undefined ? text : firstCodePoints(text, precision), width === undefined ? '' : `${align}${width}`);
  }
  if (value instanceof Undefined) value.raise();
  if (type === 'c') return isStr(value) ? value : String.fromCodePoint(Number(value));
  if (!'diouxXeEfFgG'.includes(type)) throw new PythonError('ValueError', `unsupported format character '${type}' (0x${(type.codePointAt(0) ?? 0).toString(16)}) at index ${position}`);
  if (!isNumber(value)) throw typeError('diu'.includes(type) ? `%${type} format: a real number is required, not ${typeName(value)}` : `must be real number, not ${typeName(value)}`);
  const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const zero = flags.includes('0') && align === '>' ? '0' : '';
  const layout = `${zero === '' ? align : ''}${sign}${flags.includes('#') ? '#' : ''}${zero}${width ?? ''}`;
  if ('diouxX'.includes(type)) return formatValue(wholeNumber(value), `${layout}${'diu'.includes(type) ? 'd' : type}`);
  return formatValue(new Float(toDouble(value)), `${layout}${precision === undefined ? '' : `.${precision}`}${type}`);
}

/** `int(value)` */
export function wholeNumber(value: boolean | number | bigint | Float): number | bigint {
  if (isInteger(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  if (!Number.isFinite(value.value)) throw Number.isNaN(value.value) ? new PythonError('ValueError', 'cannot convert float NaN to integer') : new PythonError('OverflowError', 'cannot convert float infinity to integer');
  return integer(BigInt(Math.trunc(value.value)));
}
