import type { BodyCodec, Frame, ToolFormat } from '@turnwright/contracts';
import { Head } from './head.js';

/** A call frame of a format, taken apart once. */
export interface CallGrammar {
  readonly format: ToolFormat;
  readonly head: Head;
  readonly codec: BodyCodec;
  /** Literals behind the body, in order; the first is the call's own closer. */
  readonly tail: readonly string[];
  readonly blockClosers: readonly string[];
  /** What begins another call or block, which shows that this one was not closed. */
  readonly openers: readonly string[];
}

/** The frame of the calls that a format writes, and of those that it only reads; those that say more of themselves first. */
export function compileCalls(format: ToolFormat): readonly CallGrammar[] {
  return [format.call, ...format.variants].map((call) => compileCall(format, call)).sort((a, b) => b.head.weight - a.head.weight);
}

function compileCall(format: ToolFormat, call: Frame): CallGrammar {
  const bodyIndex = call.findIndex((step) => step.kind === 'body');
  const body = call[bodyIndex];
  const head = new Head(trimEnd(call.slice(0, bodyIndex)));
  return {
    format,
    head,
    codec: body?.kind === 'body' ? body.codec : { kind: 'json-arguments' },
    tail: call.slice(bodyIndex + 1).flatMap((step) => (step.kind === 'literal' ? [step.text] : [])),
    blockClosers: (format.block?.close ?? []).map(({ text }) => text),
    openers: [...(format.block?.open ?? []).map(({ text }) => text), ...(head.first === '' ? [] : [head.first])],
  };
}

/** Bodies skip white space themselves; a head that ends in it could not tell the end of the output from a cut. */
function trimEnd(steps: Frame): Frame {
  return steps.at(-1)?.kind === 'space' ? steps.slice(0, -1) : steps;
}
