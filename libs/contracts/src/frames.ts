import type { JsonText } from './json.js';

/**
 * What a format is made of. A frame is data: the engine reads it, cut anywhere, and the writer writes it.
 *
 * `literal` must stand as written. `space` is what the writer writes; the reader accepts any run of white space, also none.
 * `name` and `key` end at the literal behind them, or, where none stands there, at white space or a tag. `call-id` is an id that
 * holds the name. `type` is a value's type as written. `any` is read and forgotten; the writer writes its text.
 */
export type FrameStep =
  | { readonly kind: 'literal'; readonly text: string; readonly special: boolean }
  | { readonly kind: 'space'; readonly text: string }
  | { readonly kind: 'name' }
  | { readonly kind: 'call-id'; readonly prefix: string; readonly ordinal: string }
  | { readonly kind: 'key' }
  | { readonly kind: 'type' }
  | { readonly kind: 'value' }
  | { readonly kind: 'any'; readonly text: string }
  | { readonly kind: 'body'; readonly codec: BodyCodec };

export type Frame = readonly FrameStep[];

/** How a call's body is read and written. */
export type BodyCodec = JsonCallCodec | JsonArgumentsCodec | PairsCodec | PythonArgumentsCodec | GemmaArgumentsCodec | NestedTagsCodec | TextArgumentCodec | ToolTagsCodec | CustomCodec;

/** `{"name": NAME, "arguments": {…}}`: the call object, keys in any order; or `{NAME: {…}}` when the name is the key. */
export interface JsonCallCodec {
  readonly kind: 'json-call';
  /** Keys that hold the name; the first one is written. Empty: the object's only key is the name, its value the arguments. */
  readonly nameKeys: readonly string[];
  readonly argumentKeys: readonly string[];
  readonly idKeys: readonly string[];
}

/** `{…}`: the arguments as a JSON object; the name stands in the frame. */
export interface JsonArgumentsCodec {
  readonly kind: 'json-arguments';
}

/** Key and value in tags, repeated; values have no escape and are typed by the tool's schema, or by `type`. */
export interface PairsCodec {
  readonly kind: 'pairs';
  readonly pair: Frame;
  /**
   * `line`: the template writes a newline on each side of a value, and one is removed; `multiline`: it does so for values of several
   * lines; `literal`: every character counts.
   */
  readonly padding: 'line' | 'multiline' | 'literal';
  /** Written between two pairs. */
  readonly separator: string;
  /** What a value is when neither the wire nor a schema says. */
  readonly undeclared: 'string' | 'json';
  /** `flag`: the type says "true" for a string and "false" for JSON; `name`: it is a JSON type's name. */
  readonly types: 'flag' | 'name';
  /** A value in JSON's quotes is that string, whatever the schema says. */
  readonly jsonStrings: boolean;
  /** `<![CDATA[…]]>` around a value is taken off. */
  readonly cdata: boolean;
}

/** `(a="x", n=1)` without its parentheses: Python keyword arguments of literals. */
export interface PythonArgumentsCodec {
  readonly kind: 'python-arguments';
}

/** `{a:<|"|>x<|"|>,n:1}`: bare keys, strings between a marker. */
export interface GemmaArgumentsCodec {
  readonly kind: 'gemma-arguments';
  readonly quote: string;
}

/** Arguments as tags of their own names, nested; each tag may stand behind a prefix, and lists hold `item` tags. */
export interface NestedTagsCodec {
  readonly kind: 'nested-tags';
  readonly prefix: string;
}

/** The body is one argument's text. */
export interface TextArgumentCodec {
  readonly kind: 'text-argument';
  readonly argument: string;
}

/** `<path>a.py</path>` for every argument, then the closer of the tag that is called as the tool. */
export interface ToolTagsCodec {
  readonly kind: 'tool-tags';
}

/** A body of one's own, for what no other codec reads. */
export interface CustomCodec {
  readonly kind: 'custom';
  open(host: BodyHost): BodyReader;
  /** Throws when the call cannot be written. */
  write(call: CallToWrite): string;
}

/** What a custom body reads from and writes to. */
export interface BodyHost {
  /** The text that is there, and the place in it. Move `position` over what is read, never beyond a place that needs more text. */
  readonly source: { readonly text: string; position: number; readonly final: boolean };
  /** The tool's name, when the frame held it. */
  readonly name: string;
  /** Says the name, when the body holds it. Called once. */
  begin(name: string): void;
  /** A further part of the arguments' JSON text. */
  argumentsText(text: string): void;
  /** Something repaired or odd, in kebab-case. */
  note(code: string): void;
}

/** Reads a body as far as the text goes; `close` is asked when the rest is missing and says whether the call is whole all the same. */
export interface BodyReader {
  run(): 'more' | 'done' | 'malformed';
  close(evidence: 'closer' | 'stop' | 'none'): boolean;
}

/**
 * A tool-call format.
 *
 * A block is an opener, one or more calls, a closer. A format without a block has bare calls only.
 */
export interface ToolFormat {
  readonly name: string;
  /** Other engines' spellings. */
  readonly aliases: readonly string[];
  /** URL of the chat template or code that the format follows, with its revision. */
  readonly source: string;
  /** Model families that write it. */
  readonly models: readonly string[];
  /** The reasoning format that its models use with it. */
  readonly reasoning: string;
  readonly block?: FormatBlock;
  /** The call as it is written. */
  readonly call: Frame;
  /** Other forms in which models write it. */
  readonly variants: readonly Frame[];
  /** Calls without an opener: never, for declared tools wherever they stand, or for declared tools when they are the whole answer. */
  readonly bare: 'never' | 'declared' | 'whole-answer';
  /** Markers around ordinary text, dropped from it. */
  readonly wrappers: readonly Frame[];
}

export interface FormatBlock {
  /** The first one is written. */
  readonly open: readonly MarkerStep[];
  /** None: the block ends with its list, or with its last call. */
  readonly close: readonly MarkerStep[];
  /** `sometimes`: only some of the openers have a closer, so a missing one is no fault. */
  readonly closes: 'always' | 'sometimes';
  /** What the writer puts behind the opener and before the closer; a bracket here means that the calls are a list. */
  readonly padding: readonly [string, string];
  /** The writer's habit; the reader accepts any number of calls in a block either way. */
  readonly calls: 'one' | 'many';
  /** Between two calls of one block, or between two blocks. */
  readonly separator: string;
}

export interface MarkerStep {
  readonly text: string;
  /** True when a tokenizer has the marker as one control token, or it begins with one. */
  readonly special: boolean;
}

/** A reasoning format: how thoughts are marked. */
export interface ReasoningFormat {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly source: string;
  readonly models: readonly string[];
  /** The first one is written; none: the format marks no thoughts. */
  readonly open: readonly MarkerStep[];
  readonly close: readonly MarkerStep[];
  /** What models write inside the opener, inside the closer, and after the closer: white space, or the header of what follows. */
  readonly padding: readonly [string, string, string];
  /** Markers around the answer, dropped from it. */
  readonly wrappers: readonly Frame[];
}

/** A call to be written. */
export interface CallToWrite {
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonText;
}
