import { AgentError, type Frame, type FormatBlock, type FrameStep, type MarkerStep, type ToolFormat } from '@turnwright/contracts';

/** A format as its author writes it; what is left out takes the usual value. */
export type FormatDefinition = Pick<ToolFormat, 'name' | 'source' | 'call'> & Partial<Omit<ToolFormat, 'block'>> & { readonly block?: BlockDefinition };

export interface BlockDefinition extends Partial<Omit<FormatBlock, 'open' | 'close'>> {
  readonly open: MarkerStep | readonly MarkerStep[];
  readonly close?: MarkerStep | readonly MarkerStep[];
}

/** Makes a format, or refuses one whose reading would depend on how a stream is cut. throws AgentError `bad-format` */
export function defineFormat(definition: FormatDefinition): ToolFormat {
  const { block, ...rest } = definition;
  const format: ToolFormat = { aliases: [], models: [], reasoning: 'think', bare: 'never', variants: [], wrappers: [], ...rest, ...(block === undefined ? {} : { block: completeBlock(block) }) };
  const fault = [format.call, ...format.variants].map(frameFault).find((found) => found !== undefined) ?? blockFault(format);
  if (fault !== undefined) throw new AgentError('bad-format', `Format "${format.name}": ${fault}.`, { fields: { format: format.name } });
  return format;
}

function completeBlock(block: BlockDefinition): FormatBlock {
  const { open, close, ...rest } = block;
  return { padding: ['\n', '\n'], closes: 'always', calls: 'one', separator: '\n', ...rest, open: [open].flat(), close: close === undefined ? [] : [close].flat() };
}

function frameFault(call: Frame): string | undefined {
  const [first] = call;
  if (first === undefined) return 'expected a frame for a call, found an empty one';
  const hasName = call.some((step) => step.kind === 'name' || step.kind === 'call-id');
  const codec = call.find((step) => step.kind === 'body')?.codec;
  if (codec === undefined) return 'expected a body in the frame of a call, such as jsonCall() or pairs(…)';
  if (codec.kind !== 'custom' && hasName === (codec.kind === 'json-call')) return hasName ? 'the name stands in the frame and in the JSON body; expected one of them' : `expected \${name} in the frame, since ${codec.kind} holds none`;
  if (first.kind === 'space') return 'expected the frame to begin with a literal, a name or a body, found white space: where it begins would depend on the cut';
  return undelimited(call) ?? (codec.kind === 'pairs' ? pairFault(codec.pair) : undefined);
}

const OPEN_ENDED: ReadonlySet<FrameStep['kind']> = new Set(['name', 'call-id', 'key', 'type', 'any']);

/** Names and keys end at a literal, at white space or at a tag; two of them side by side end nowhere. */
function undelimited(steps: Frame): string | undefined {
  const open = steps.findIndex((step, index) => OPEN_ENDED.has(step.kind) && OPEN_ENDED.has(steps[index + 1]?.kind ?? 'literal'));
  const bare = steps.findIndex((step, index) => (step.kind === 'key' || step.kind === 'type' || step.kind === 'any' || step.kind === 'value') && steps[index + 1]?.kind !== 'literal');
  const fault = open >= 0 ? open : bare;
  return fault < 0 ? undefined : `expected a literal after \${${steps[fault]?.kind ?? ''}}: its end would depend on the cut`;
}

function pairFault(pair: Frame): string | undefined {
  const steps = pair.filter(({ kind }) => kind !== 'space');
  if (steps[0]?.kind !== 'literal') return 'expected the pair frame to begin with a literal';
  const last = steps.slice(-2).map(({ kind }) => kind).join(' ');
  return last === 'value literal' ? undelimited(pair) : `expected the pair frame to end with a value and a literal, found ${last}`;
}

function blockFault(format: ToolFormat): string | undefined {
  const { block } = format;
  if (block === undefined) return format.bare === 'never' && format.call[0]?.kind !== 'literal' ? 'it has no block opener, takes no bare calls, and its call begins with no literal, so it could never match' : undefined;
  for (const [label, marker] of [...block.open.map((open) => ['opener', open.text] as const), ...block.close.map((close) => ['closer', close.text] as const)]) {
    if (marker === '' || marker.trim() !== marker) return `expected a block ${label} without white space at its ends, found ${JSON.stringify(marker)}`;
  }
  if (block.open.some((open) => block.close.some((close) => close.text === open.text))) return 'opener and closer are the same text';
  return undefined;
}
