import type { Attempt } from '../calls/attempt.js';
import { firstCharacter, readJson } from '../json/json-text.js';

/** Parameters in which models put all arguments at once, when no tool declares them. */
export function isWrapperKey(key: string): boolean {
  return key === 'arguments' || key === 'input';
}

/**
 * Passes arguments on, but for those that stand in one parameter called `arguments`: they become the arguments (vLLM #41240).
 *
 * Only the parameter alone is a wrapper, so its text waits until the next parameter, or the end, tells.
 */
export class WrappedArguments {
  private held: string[] | undefined;

  constructor(private readonly attempt: Pick<Attempt, 'argumentsText' | 'note'>) {}

  hold(): void {
    this.held = [];
  }

  argumentsText(text: string): void {
    if (this.held === undefined) this.attempt.argumentsText(text);
    else this.held.push(text);
  }

  note(code: string): void {
    this.attempt.note(code);
  }

  /** Another parameter follows: the first one was none. */
  nextKey(): void {
    if (this.held === undefined) return;
    const text = this.held.join('');
    this.held = undefined;
    this.attempt.argumentsText(text);
  }

  end(): void {
    if (this.held === undefined) return;
    const text = this.held.join('');
    this.held = undefined;
    const value = /^\{"(?:arguments|input)": (.*)\}$/s.exec(text)?.[1] ?? '';
    const inner = firstCharacter(value) === '"' ? readString(value) : value;
    const object = firstCharacter(inner) === '{' ? readJson(inner)?.json : undefined;
    if (object !== undefined) this.attempt.note('wrapped-arguments');
    this.attempt.argumentsText(object ?? text);
  }
}

function readString(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}
