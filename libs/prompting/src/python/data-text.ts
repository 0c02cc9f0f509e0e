import { PythonError, type Str, type Value } from './values.js';

/**
 * A text of which some characters came from the request, so that an added token's text that somebody typed is told from one that the
 * template wrote. The operations of strings keep the account.
 */
export class DataText {
  /** `runs`: start and end of each run of the request's characters, UTF-16 units, in order; absent when all of them are. */
  constructor(readonly text: string, readonly runs?: readonly number[]) {}
}

/** No template may make more: no model has a context of so many characters. */
export const LONGEST_TEXT_UTF16 = 2 ** 26;

export function isStr(value: Value | undefined): value is Str {
  return typeof value === 'string' || value instanceof DataText;
}

export function textOf(value: Str): string {
  return typeof value === 'string' ? value : value.text;
}

/** Joins texts and keeps the account of runs; also the sink that a template writes to. */
export class TextBuilder {
  text = '';
  private runs: number[] = [];

  add(value: Str): void {
    if (this.text.length + textOf(value).length > LONGEST_TEXT_UTF16) throw new PythonError('MemoryError', `a text grew beyond ${LONGEST_TEXT_UTF16} UTF-16 units`);
    if (typeof value === 'string') this.text += value;
    else this.addRuns(value);
  }

  build(): Str {
    const { text, runs } = this;
    if (runs.length === 0) return text;
    return runs.length === 2 && runs[0] === 0 && runs[1] === text.length ? new DataText(text) : new DataText(text, runs);
  }

  private addRuns({ text, runs }: DataText): void {
    const offset = this.text.length;
    if (runs === undefined) this.run(offset, offset + text.length);
    else for (let index = 0; index < runs.length; index += 2) this.run(offset + (runs[index] ?? 0), offset + (runs[index + 1] ?? 0));
    this.text += text;
  }

  private run(start: number, end: number): void {
    if (end === start) return;
    if (this.runs.at(-1) === start) this.runs[this.runs.length - 1] = end;
    else this.runs.push(start, end);
  }
}

export function concatenate(...parts: readonly Str[]): Str {
  const builder = new TextBuilder();
  for (const part of parts) builder.add(part);
  return builder.build();
}

export function joinTexts(separator: Str, items: readonly Str[]): Str {
  const builder = new TextBuilder();
  for (const [index, item] of items.entries()) {
    if (index > 0) builder.add(separator);
    builder.add(item);
  }
  return builder.build();
}

/** The UTF-16 units `[start, end)`. */
export function cut(value: Str, start: number, end: number): Str {
  if (typeof value === 'string') return value.slice(start, end);
  const { text, runs } = value;
  if (start === 0 && end >= text.length) return value;
  const part = text.slice(start, end);
  if (runs === undefined) return part === '' ? part : new DataText(part);
  const kept: number[] = [];
  for (let index = 0; index < runs.length; index += 2) {
    const from = Math.max(runs[index] ?? 0, start);
    const to = Math.min(runs[index + 1] ?? 0, end);
    if (from < to) kept.push(from - start, to - start);
  }
  if (kept.length === 0) return part;
  return kept.length === 2 && kept[0] === 0 && kept[1] === part.length ? new DataText(part) : new DataText(part, kept);
}

/** The same text spelled otherwise; where lengths differ, all of it counts as the request's. */
export function respelled(value: Str, text: string): Str {
  if (typeof value === 'string') return text;
  return new DataText(text, text.length === value.text.length ? value.runs : undefined);
}
