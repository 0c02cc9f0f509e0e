import { AgentError } from '@turnwright/contracts';

/** Fields of a request from outside, read with their kinds checked. Each throws AgentError `bad-contract`, naming the field. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name, 'a map', value);
  return value as Fields;
}

export function optionalFields(fields: Fields, name: string): Fields | undefined {
  return isAbsent(fields[name]) ? undefined : fieldsOf(fields[name], name);
}

export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw wrong(name, 'a list', value);
  return value;
}

/** Numbers as pydantic takes them: also `true` and `"7"`. */
export function numbersOf(fields: Fields, name: string): number[] {
  return listOf(fields, name).map((value, i) => toNumber(value, `${name}.${String(i)}`));
}

export function optionalNumbers(fields: Fields, name: string): number[] | undefined {
  return isAbsent(fields[name]) ? undefined : numbersOf(fields, name);
}

export function numberOf(fields: Fields, name: string): number {
  return toNumber(fields[name], name);
}

export function optionalNumber(fields: Fields, name: string): number | undefined {
  return isAbsent(fields[name]) ? undefined : toNumber(fields[name], name);
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') throw wrong(name, 'a text', value);
  return value;
}

/** The entries that are not undefined. */
export function given<T extends Readonly<Record<string, unknown>>>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function toNumber(value: unknown, name: string): number {
  const number = typeof value === 'boolean' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) throw wrong(name, 'a number', value);
  return number;
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function wrong(name: string, expected: string, value: unknown): AgentError {
  return new AgentError('bad-contract', `Field "${name}" is ${JSON.stringify(value) ?? 'absent'}; expected ${expected}.`, { fields: { name } });
}
