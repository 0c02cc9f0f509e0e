import { assert, type BodyCodec, type Frame, type FrameStep, type JsonArgumentsCodec, type JsonCallCodec, type MarkerStep, type PairsCodec } from '@turnwright/contracts';

/** Something that stands between the literal parts of a frame. */
export type FramePart = FrameStep | MarkerStep | BodyCodec;

/** The tool's name. */
export const name: FrameStep = { kind: 'name' };
/** The name of a parameter, in the frame of a pair. */
export const key: FrameStep = { kind: 'key' };
/** The value of a parameter, in the frame of a pair. */
export const value: FrameStep = { kind: 'value' };

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
 * frame`<function=${name}>\n${pairs(frame`<parameter=${key}>\n${value}\n</parameter>`)}\n</function>`
 * ```
 * White space is what the writer writes; the reader accepts any.
 */
export function frame(texts: TemplateStringsArray, ...parts: readonly FramePart[]): Frame {
  const steps: FrameStep[] = [];
  for (let i = 0; i < texts.length; i++) {
    // `cooked` text, so that `\n` in a template is a newline.
    steps.push(...literals(texts[i] ?? ''));
    const part = parts[i];
    if (part !== undefined) steps.push(toStep(part));
  }
  return steps;
}

function literals(text: string): FrameStep[] {
  return (text.match(/\s+|\S+/g) ?? []).map((run) => (/\s/.test(run) ? { kind: 'space', text: run } : { kind: 'literal', text: run, special: false }));
}

function toStep(part: FramePart): FrameStep {
  if (!('kind' in part)) return { kind: 'literal', text: part.text, special: part.special };
  return part.kind === 'json-call' || part.kind === 'json-arguments' || part.kind === 'pairs' ? { kind: 'body', codec: part } : part;
}

/** A call as one JSON object, keys in any order. */
export function jsonCall(keys: { readonly name?: readonly string[]; readonly arguments?: readonly string[]; readonly id?: readonly string[] } = {}): JsonCallCodec {
  return { kind: 'json-call', nameKeys: keys.name ?? ['name'], argumentKeys: keys.arguments ?? ['arguments', 'parameters'], idKeys: keys.id ?? ['id'] };
}

/** Arguments as a JSON object; the name stands elsewhere in the frame. */
export const jsonArguments: JsonArgumentsCodec = { kind: 'json-arguments' };

/** Arguments as tagged pairs; `padding` and `separator` as the format's template writes them. */
export function pairs(pair: Frame, options: { readonly padding: 'line' | 'literal'; readonly separator: string }): PairsCodec {
  assert(pair.some((step) => step.kind === 'key') && pair.some((step) => step.kind === 'value'), 'expected a pair frame with ${key} and ${value}');
  return { kind: 'pairs', pair: pair.filter((step) => step.kind !== 'space'), ...options };
}
