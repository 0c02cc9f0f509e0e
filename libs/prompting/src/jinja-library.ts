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

interface Environment {
  set(name: string, value: unknown): RuntimeValue;
  setVariable(name: string, value: RuntimeValue): RuntimeValue;
}

interface Exports {
  readonly tokenize: (text: string, options: { readonly lstrip_blocks: boolean; readonly trim_blocks: boolean }) => readonly unknown[];
  readonly parse: (tokens: readonly unknown[]) => SyntaxNode;
  readonly Environment: new (parent?: Environment) => Environment;
  readonly Interpreter: new (environment: Environment) => { run(program: SyntaxNode): RuntimeValue };
}

export type JinjaEnvironment = Environment;

/** What is used of @huggingface/jinja 0.5.11, whose own types do not resolve under NodeNext. */
export const { tokenize, parse, Environment: JinjaEnvironment, Interpreter } = library as unknown as Exports;

/** The value classes are not exported either; a value of each kind names its class. */
function classOf<T>(example: unknown): new (value: T) => RuntimeValue {
  return new JinjaEnvironment().set('example', example).constructor as new (value: T) => RuntimeValue;
}

const classes = {
  string: classOf<string>(''),
  integer: classOf<number>(0),
  float: classOf<number>(0.5),
  boolean: classOf<boolean>(true),
  none: classOf<null>(null),
  undefined: classOf<undefined>(undefined),
  list: classOf<readonly RuntimeValue[]>([]),
  dict: classOf<ReadonlyMap<string, RuntimeValue>>({}),
  function: classOf<RuntimeFunction>(() => null),
};

/** Makes values that a template sees. */
export const runtime = {
  string: (value: string) => new classes.string(value),
  integer: (value: number) => new classes.integer(value),
  float: (value: number) => new classes.float(value),
  boolean: (value: boolean) => new classes.boolean(value),
  none: () => new classes.none(null),
  undefined: () => new classes.undefined(undefined),
  list: (items: readonly RuntimeValue[]) => new classes.list(items),
  dict: (entries: ReadonlyMap<string, RuntimeValue>) => new classes.dict(entries),
  function: (body: RuntimeFunction) => new classes.function(body),
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
