import { isStr, textOf } from './data-text.js';
import { toIndex } from './numbers.js';
import { typeName } from './types.js';
import { orElse, typeError, Undefined, type Arguments, type Keywords, type Str, type Value } from './values.js';

/** What a call passes to a function of Python's, by place or by name. */
export class Parameters {
  constructor(private readonly owner: string, private readonly args: Arguments, private readonly keywords: Keywords, private readonly names: readonly string[]) {
    if (args.length > names.length) throw typeError(`${owner}() takes at most ${names.length} arguments (${args.length} given)`);
    for (const name of keywords.keys()) if (!names.includes(name)) throw typeError(`${owner}() got an unexpected keyword argument '${name}'`);
  }

  get(name: string): Value | undefined {
    const given = this.args[this.names.indexOf(name)];
    return given === undefined ? this.keywords.get(name) : given;
  }

  or(name: string, otherwise: Value): Value {
    return orElse(this.get(name), () => otherwise);
  }

  required(name: string): Value {
    const value = this.get(name);
    if (value === undefined) throw typeError(`${this.owner}() missing 1 required positional argument: '${name}'`);
    return value;
  }

  /** throws TypeError when it is no text */
  text(name: string): Str {
    return asText(this.required(name), this.owner, this.names.indexOf(name) + 1);
  }

  /** Absent and None are the same. */
  optionalText(name: string): Str | undefined {
    const value = this.get(name);
    return value === undefined || value === null ? undefined : asText(value, this.owner, this.names.indexOf(name) + 1);
  }

  index(name: string, otherwise: number): number {
    const value = this.get(name);
    return value === undefined ? otherwise : toIndex(value);
  }
}

function asText(value: Value, owner: string, place: number): Str {
  if (isStr(value)) return value;
  if (value instanceof Undefined) value.raise();
  throw typeError(`${owner}() argument ${place} must be str, not ${typeName(value)}`);
}

export function plainText(value: Str | undefined): string | undefined {
  return value === undefined ? undefined : textOf(value);
}
