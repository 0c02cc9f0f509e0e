import { assert, type BodyCodec, type BodyHost, type BodyReader, type CallToWrite, type CustomCodec, type Frame, type FrameStep, type GemmaArgumentsCodec, type JsonArgumentsCodec, type JsonCallCodec, type MarkerStep, type NestedTagsCodec, type PairsCodec, type PythonArgumentsCodec, type TextArgumentCodec, type ToolTagsCodec } from '@turnwright/contracts';

/** Something that stands between the literal parts of a frame. */
export type FramePart = FrameStep | MarkerStep | BodyCodec;

/** The tool's name. */
export const name: FrameStep = { kind: 'name' };
/** The name of a parameter, in the frame of a pair. */
export const key: FrameStep = { kind: 'key' };
/** The type of a parameter as the model wrote it, in the frame of a pair. */
export const type: FrameStep = { kind: 'type' };
/** The value of a parameter, in the frame of a pair. */
export const value: FrameStep = { kind: 'value' };

/** Text that is read and forgotten; `text` is what the writer writes. */
export function any(text = ''): FrameStep {
  return { kind: 'any', text };
}

/** An id that holds the name, such as `functions.find:0`: prefix, name, a separator and the call's ordinal. */
export function callId(prefix: string, ordinal: string): FrameStep {
  return { kind: 'call-id', prefix, ordinal };
}

/** A marker that tokenizers have as one control token; in token mode only that token counts. */
export function special(text: string): MarkerStep {
  return { text, special: true };
}

/** A marker made of ordinary tokens. */
export function plain(text: string): MarkerStep {
  return { text, special: false };
}

/**
 * A frame as it is written: literal text, white space, and parts.
 *
 * ```ts
 * frame`<function=${name}>\n${pairs(frame`<parameter=${key}>${value}</parameter>`)}\n</function>`
 * ```
 * White space is what the writer writes; the reader accepts any, but for single blanks inside a literal, which must stand.
 */
export function frame(texts: TemplateStringsArray, ...parts: readonly FramePart[]): Frame {
  const steps: FrameStep[] = [];
  for (let i = 0; i < texts.length; i++) {
    steps.push(...literals(texts[i] ?? ''));
    const part = parts[i];
    if (part !== undefined) steps.push(toStep(part));
  }
  return joinLiterals(steps);
}

/** White space at an end or with a line break in it is a step of its own; a blank between words belongs to the literal. */
function literals(text: string): FrameStep[] {
  return text.split(/(\s*\n\s*|^\s+|\s+$)/).filter((run) => run !== '').map((run) => (run.trim() === '' ? { kind: 'space', text: run } : { kind: 'literal', text: run, special: false }));
}

function toStep(part: FramePart): FrameStep {
  if (!('kind' in part)) return { kind: 'literal', text: part.text, special: part.special };
  switch (part.kind) {
    case 'json-call':
    case 'json-arguments':
    case 'pairs':
    case 'python-arguments':
    case 'gemma-arguments':
    case 'nested-tags':
    case 'text-argument':
    case 'tool-tags':
    case 'custom': return { kind: 'body', codec: part };
    default: return part;
  }
}

/** Two literals side by side are one, so that what ends a name is known whole. */
function joinLiterals(steps: readonly FrameStep[]): Frame {
  const joined: FrameStep[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (step.kind === 'literal' && last?.kind === 'literal') joined[joined.length - 1] = { ...last, text: last.text + step.text };
    else joined.push(step);
  }
  return joined;
}

/** A call as one JSON object, keys in any order. */
export function jsonCall(keys: { readonly name?: readonly string[]; readonly arguments?: readonly string[]; readonly id?: readonly string[] } = {}): JsonCallCodec {
  return { kind: 'json-call', nameKeys: keys.name ?? ['name'], argumentKeys: keys.arguments ?? ['arguments', 'parameters'], idKeys: keys.id ?? ['id'] };
}

/** A call as `{NAME: {…}}`. */
export const jsonNamedCall: JsonCallCodec = { kind: 'json-call', nameKeys: [], argumentKeys: [], idKeys: [] };

/** Arguments as a JSON object; the name stands elsewhere in the frame. */
export const jsonArguments: JsonArgumentsCodec = { kind: 'json-arguments' };

/** Python keyword arguments, up to the closing parenthesis. */
export const pythonArguments: PythonArgumentsCodec = { kind: 'python-arguments' };

export function gemmaArguments(quote: string): GemmaArgumentsCodec {
  return { kind: 'gemma-arguments', quote };
}

export function nestedTags(prefix: string): NestedTagsCodec {
  return { kind: 'nested-tags', prefix };
}

/** Arguments in tags of their own names, and the tool's closing tag. */
export const toolTags: ToolTagsCodec = { kind: 'tool-tags' };

/** All text up to the call's closer is the one argument. */
export function textArgument(argument: string): TextArgumentCodec {
  return { kind: 'text-argument', argument };
}

/** A body that no codec reads: a resumable reader and its writer. */
export function customBody(codec: { open(host: BodyHost): BodyReader; write(call: CallToWrite): string }): CustomCodec {
  return { kind: 'custom', open: (host) => codec.open(host), write: (call) => codec.write(call) };
}

/** Arguments as tagged pairs; `padding` and `separator` as the format's template writes them. */
export function pairs(pair: Frame, options: Partial<Omit<PairsCodec, 'kind' | 'pair'>> = {}): PairsCodec {
  assert(pair.some((step) => step.kind === 'key') && pair.some((step) => step.kind === 'value'), 'expected a pair frame with ${key} and ${value}');
  return { kind: 'pairs', pair, padding: 'literal', separator: '\n', undeclared: 'string', types: 'name', cdata: false, jsonStrings: false, ...options };
}
