import { AgentError, type CallToWrite, type PairsCodec, type ReasoningFormat, type ToolDefinition, type ToolFormat } from '@turnwright/contracts';
import { quoteJson } from './json/json-text.js';
import { topLevelEntries } from './json/object-entries.js';
import { parseModelOutput } from './parse-model-output.js';
import { defineFallbackFree } from './writer-options.js';

/**
 * Writes calls as the format's models do, from the same frame that the reader uses.
 *
 * Tag values have no escape, so some calls cannot be written: the text is read back, and what would not come back is refused.
 * throws AgentError `cannot-express`, naming the call and what would be read instead
 */
export function writeCalls(format: ToolFormat, calls: readonly CallToWrite[], tools: readonly ToolDefinition[] = []): string {
  const text = writeBlocks(format, calls.map((call) => writeCall(format, call)));
  const read = parseModelOutput(text, defineFallbackFree(format, tools));
  calls.forEach((call, index) => {
    const back = read.toolUses[index];
    if (back?.name !== call.name || !sameArguments(back.input, call.arguments) || read.attempts[index]?.status !== 'ok') {
      throw new AgentError('cannot-express', `Format "${format.name}" cannot express call ${String(index)} "${call.name}": its values hold the format's own markers, and it would be read as ${back === undefined ? 'no call' : `${back.name} ${back.input}`}.`, { fields: { format: format.name, call } });
    }
  });
  if (read.toolUses.length !== calls.length) throw new AgentError('cannot-express', `Format "${format.name}" cannot express these ${String(calls.length)} calls: they would be read as ${String(read.toolUses.length)}.`, { fields: { format: format.name } });
  return text;
}

function writeBlocks(format: ToolFormat, written: readonly string[]): string {
  const { block } = format;
  if (block === undefined) return written.join('\n');
  const wrap = (body: string): string => `${block.open.text}${block.padding[0]}${body}${block.padding[1]}${block.close.text}`;
  return block.calls === 'one' ? written.map(wrap).join(block.separator) : written.length === 0 ? '' : wrap(written.join(block.separator));
}

function writeCall(format: ToolFormat, call: CallToWrite): string {
  return format.call.map((step) => {
    switch (step.kind) {
      case 'literal':
      case 'space': return step.text;
      case 'name': return call.name;
      case 'body': return step.codec.kind === 'pairs' ? writePairs(format, step.codec, call) : step.codec.kind === 'json-arguments' ? call.arguments : `{${quoteJson(step.codec.nameKeys[0] ?? 'name')}: ${quoteJson(call.name)}, ${quoteJson(step.codec.argumentKeys[0] ?? 'arguments')}: ${call.arguments}}`;
      default: return '';
    }
  }).join('');
}

function writePairs(format: ToolFormat, codec: PairsCodec, call: CallToWrite): string {
  const entries = topLevelEntries(call.arguments);
  if (entries === undefined) throw new AgentError('cannot-express', `Format "${format.name}" cannot express call "${call.name}": expected its arguments to be a JSON object, found ${call.arguments.slice(0, 80)}.`);
  return entries.map(({ key, json }) => writePair(codec, key, json)).join(codec.separator);
}

function writePair(codec: PairsCodec, key: string, json: string): string {
  const value = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  const padding = codec.padding === 'line' ? '\n' : '';
  return codec.pair.map((step) => (step.kind === 'key' ? key : step.kind === 'value' ? `${padding}${value}${padding}` : step.kind === 'literal' ? step.text : '')).join('');
}

/** A thought as the format's models write it, with what stands behind it. */
export function writeReasoning(format: ReasoningFormat, text: string): string {
  const [inside, before, after] = format.padding;
  return `${format.open.text}${inside}${text}${before}${format.close.text}${after}`;
}

function sameArguments(a: string, b: string): boolean {
  const left = topLevelEntries(a);
  const right = topLevelEntries(b);
  return left !== undefined && right !== undefined && left.length === right.length && left.every(({ key, json }, index) => key === right[index]?.key && squeeze(json) === squeeze(right[index].json));
}

/** White space outside strings, and escapes inside them, may differ. */
function squeeze(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\s+/gs, (part) => (part.startsWith('"') ? quoteJson(JSON.parse(part) as string) : ''));
}

