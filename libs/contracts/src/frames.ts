import type { JsonSchema, JsonText, ToolDefinition } from './json.js';

/**
 * What a format is made of. A frame is data: the engine reads it, cut anywhere, and the writer writes it.
 *
 * `literal` must stand as written. `space` is what the writer writes; the reader accepts any run of white space, also none.
 */
export type FrameStep =
  | { readonly kind: 'literal'; readonly text: string; readonly special: boolean }
  | { readonly kind: 'space'; readonly text: string }
  | { readonly kind: 'name' }
  | { readonly kind: 'key' }
  | { readonly kind: 'value' }
  | { readonly kind: 'body'; readonly codec: BodyCodec };

export type Frame = readonly FrameStep[];

/** How a call's body is read and written. */
export type BodyCodec = JsonCallCodec | JsonArgumentsCodec | PairsCodec;

/** `{"name": NAME, "arguments": {…}}`: the call object, keys in any order. */
export interface JsonCallCodec {
  readonly kind: 'json-call';
  /** Keys that hold the name; the first one is written. */
  readonly nameKeys: readonly string[];
  readonly argumentKeys: readonly string[];
  readonly idKeys: readonly string[];
}

/** `{…}`: the arguments as a JSON object; the name stands in the frame. */
export interface JsonArgumentsCodec {
  readonly kind: 'json-arguments';
}

/** Key and value in tags, repeated; values have no escape and are typed by the tool's schema. */
export interface PairsCodec {
  readonly kind: 'pairs';
  readonly pair: Frame;
  /** `line`: the template writes a newline on each side of a value, and one is removed; `literal`: every character counts. */
  readonly padding: 'line' | 'literal';
  /** Written between two pairs. */
  readonly separator: string;
}

/**
 * A tool-call format.
 *
 * A block is `open`, one or more calls, `close`. A format without `open` has bare calls only.
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
  readonly call: Frame;
  /** Calls without an opener: never, or only for declared tools. */
  readonly bare: 'never' | 'declared';
}

export interface FormatBlock {
  readonly open: MarkerStep;
  readonly close: MarkerStep;
  /** White space that the writer puts after the opener and before the closer. */
  readonly padding: readonly [string, string];
  /** The writer's habit; the reader accepts any number of calls in a block either way. */
  readonly calls: 'one' | 'many';
  /** Between two calls of one block, or between two blocks. */
  readonly separator: string;
}

export interface MarkerStep {
  readonly text: string;
  /** True when a tokenizer has the marker as one control token. */
  readonly special: boolean;
}

/** A reasoning format: how thoughts are marked. */
export interface ReasoningFormat {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly source: string;
  readonly models: readonly string[];
  readonly open: MarkerStep;
  readonly close: MarkerStep;
  /** White space that the template writes inside the opener, inside the closer, and after the closer. */
  readonly padding: readonly [string, string, string];
}

/** A call to be written. */
export interface CallToWrite {
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonText;
}

/** What the reader of a call knows about the tools. */
export interface ToolLookup {
  readonly declared: boolean;
  readonly definition?: ToolDefinition;
  readonly parameters?: JsonSchema;
}
