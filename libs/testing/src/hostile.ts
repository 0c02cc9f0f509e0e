import type { ToolFormat } from '@turnwright/contracts';
import fc from 'fast-check';

/** The markers that a format's own reading turns on. */
export function markersOf(format: ToolFormat): readonly string[] {
  const steps = format.call.flatMap((step) => (step.kind === 'body' && step.codec.kind === 'pairs' ? [step, ...step.codec.pair] : [step]));
  const literals = steps.flatMap((step) => (step.kind === 'literal' ? [step.text] : []));
  return [...(format.block === undefined ? [] : [...format.block.open, ...format.block.close].map(({ text }) => text)), ...literals];
}

const EVERYWHERE = ['<think>', '</think>', '`', '```\n', '\n', '\r\n', ' ', '"', "'", '\\', '{', '}', '[', ']', ':', ',', '<', '>', '</', '\u0000', '\u2028', '\ufeff', '\ud83d\ude00', '\ud83d', 'é', '{"name": "', '"arguments": {', 'null', '1.0', 'find', 'x'];

/** Text made of what a format's readers look for, and of what breaks strings elsewhere. */
export function markerSoup(format: ToolFormat): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...markersOf(format), ...markersOf(format), ...EVERYWHERE), { maxLength: 40 }).map((parts) => parts.join(''));
}

/** Strings that a model could put into an argument, hostile to formats without an escape. */
export function hostileString(format: ToolFormat): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.array(fc.constantFrom(...markersOf(format), ...EVERYWHERE.filter((text) => text.isWellFormed())), { maxLength: 8 }).map((parts) => parts.join('')));
}
