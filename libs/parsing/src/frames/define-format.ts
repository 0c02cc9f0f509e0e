import { AgentError, type Frame, type FormatBlock, type MarkerStep, type ToolFormat } from '@turnwright/contracts';

/** A format as its author writes it; what is left out takes the usual value. */
export type FormatDefinition = Omit<ToolFormat, 'aliases' | 'models' | 'reasoning' | 'bare' | 'block'> & Partial<Pick<ToolFormat, 'aliases' | 'models' | 'reasoning' | 'bare'>> & { readonly block?: BlockDefinition };

export interface BlockDefinition {
  readonly open: MarkerStep;
  readonly close: MarkerStep;
  readonly padding?: readonly [string, string];
  readonly calls?: 'one' | 'many';
  readonly separator?: string;
}

/** Makes a format, or refuses one whose reading would depend on how a stream is cut. throws AgentError `bad-format` */
export function defineFormat(definition: FormatDefinition): ToolFormat {
  const { block, ...rest } = definition;
  const format: ToolFormat = { aliases: [], models: [], reasoning: 'think', bare: 'never', ...rest, ...(block === undefined ? {} : { block: completeBlock(block) }) };
  const fault = frameFault(format.call) ?? blockFault(format);
  if (fault !== undefined) throw new AgentError('bad-format', `Format "${format.name}": ${fault}.`, { fields: { format: format.name } });
  return format;
}

function completeBlock(block: BlockDefinition): FormatBlock {
  return { padding: ['\n', '\n'], calls: 'one', separator: '\n', ...block };
}

function frameFault(call: Frame): string | undefined {
  const [first] = call;
  if (first === undefined) return 'expected a frame for a call, found an empty one';
  const hasName = call.some((step) => step.kind === 'name');
  const codec = call.find((step) => step.kind === 'body')?.codec;
  if (codec === undefined) return 'expected a body in the frame of a call, such as jsonCall() or pairs(…)';
  if (hasName === (codec.kind === 'json-call')) return hasName ? 'the name stands in the frame and in the JSON body; expected one of them' : `expected \${name} in the frame, since ${codec.kind} holds none`;
  if (first.kind !== 'literal' && !(first.kind === 'body' && codec.kind === 'json-call')) return `expected the frame to begin with a literal, found ${first.kind}: where it begins would depend on the cut`;
  return undelimited(call) ?? (codec.kind === 'pairs' ? pairFault(codec.pair) : undefined);
}

/** A name, key or value has no end of its own: only a literal behind it says where it ends. */
function undelimited(steps: Frame): string | undefined {
  const open = steps.findIndex((step, index) => (step.kind === 'name' || step.kind === 'key' || step.kind === 'value') && steps[index + 1]?.kind !== 'literal');
  return open < 0 ? undefined : `expected a literal after \${${steps[open]?.kind ?? ''}}: its end would depend on the cut`;
}

function pairFault(pair: Frame): string | undefined {
  if (pair[0]?.kind !== 'literal') return 'expected the pair frame to begin with a literal';
  const kinds = pair.map((step) => step.kind).join(' ');
  return kinds === 'literal key literal value literal' ? undelimited(pair) : `expected the pair frame to be literal, key, literal, value, literal, found ${kinds}`;
}

function blockFault(format: ToolFormat): string | undefined {
  const { block } = format;
  if (block === undefined) return format.bare === 'never' ? 'it has no block opener and takes no bare calls, so it could never match' : undefined;
  for (const [label, marker] of [['opener', block.open.text], ['closer', block.close.text]] as const) {
    if (marker === '' || marker.trim() !== marker) return `expected a block ${label} without white space at its ends, found ${JSON.stringify(marker)}`;
  }
  if (block.open.text === block.close.text) return 'opener and closer are the same text';
  return undefined;
}
