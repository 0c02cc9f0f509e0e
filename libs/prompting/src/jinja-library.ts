import * as library from '@huggingface/jinja';

/** A value while a template runs. */
export interface RuntimeValue {
  readonly type: string;
  readonly value: unknown;
}

export interface RuntimeString extends RuntimeValue {
  readonly type: 'StringValue';
  readonly value: string;
}

/** Keyword arguments arrive last, as one value of type `KeywordArgumentsValue`. */
export type RuntimeFunction = (args: readonly RuntimeValue[]) => RuntimeValue;

/** A node of the library's syntax tree; its classes are not exported, so a node is told by `type`. */
export interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

export interface JinjaEnvironment {
  readonly tests: ReadonlyMap<string, (...values: readonly RuntimeValue[]) => boolean>;
  set(name: string, value: unknown): RuntimeValue;
  setVariable(name: string, value: RuntimeValue): RuntimeValue;
}

/** The library's evaluator; its methods are private only to TypeScript. */
export interface LibraryInterpreter {
  run(program: SyntaxNode): RuntimeValue;
  evaluate(node: SyntaxNode | undefined, environment: JinjaEnvironment): RuntimeValue;
}

interface Exports {
  readonly tokenize: (text: string, options: { readonly lstrip_blocks: boolean; readonly trim_blocks: boolean }) => readonly unknown[];
  readonly parse: (tokens: readonly unknown[]) => SyntaxNode;
  readonly Environment: new (parent?: JinjaEnvironment) => JinjaEnvironment;
  readonly Interpreter: new (environment: JinjaEnvironment) => LibraryInterpreter;
}

/** What is used of @huggingface/jinja 0.5.11, whose own types do not resolve under NodeNext. */
export const { tokenize, parse, Environment: JinjaEnvironment, Interpreter } = library as unknown as Exports;

/**
 * Makes values of one of the library's classes, which are not exported: a value of the kind leads to its prototype.
 *
 * Not through the class's constructor: it defines `type` twice, which costs 2 microseconds a value and was half of a rendering.
 */
function maker<T>(example: unknown): (value: T) => RuntimeValue {
  const sample = new JinjaEnvironment().set('example', example);
  const { type } = sample;
  const make = function (this: { type: string; value: T }, value: T): void {
    this.type = type;
    this.value = value;
  } as unknown as new (value: T) => RuntimeValue;
  make.prototype = Object.getPrototypeOf(sample) as object;
  return (value) => new make(value);
}

const makeUndefined = maker<undefined>(undefined);
const makeNone = maker<null>(null);
const makeBoolean = maker<boolean>(true);
const single = { undefined: makeUndefined(undefined), none: makeNone(null), true: makeBoolean(true), false: makeBoolean(false) };

/** Makes values that a template sees. */
export const runtime = {
  string: maker<string>(''),
  integer: maker<number>(0),
  float: maker<number>(0.5),
  boolean: (value: boolean): RuntimeValue => (value ? single.true : single.false),
  none: (): RuntimeValue => single.none,
  undefined: (): RuntimeValue => single.undefined,
  list: maker<readonly RuntimeValue[]>([]),
  dict: maker<ReadonlyMap<string, RuntimeValue>>({}),
  function: maker<RuntimeFunction>(() => null),
};

export function isString(value: RuntimeValue | undefined): value is RuntimeString {
  return value?.type === 'StringValue';
}

export function isList(value: RuntimeValue | undefined): value is RuntimeValue & { readonly value: readonly RuntimeValue[] } {
  return value?.type === 'ArrayValue' || value?.type === 'TupleValue';
}

export function isDict(value: RuntimeValue | undefined): value is RuntimeValue & { readonly value: ReadonlyMap<string, RuntimeValue> } {
  return value?.type === 'ObjectValue' || value?.type === 'KeywordArgumentsValue';
}
