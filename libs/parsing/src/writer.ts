import { AgentError, type BodyCodec, type CallToWrite, type PairsCodec, type ReasoningFormat, type ToolDefinition, type ToolFormat } from '@turnwright/contracts';
import { writeId } from './calls/call-id.js';
import { quoteJson } from './json/json-text.js';
import { topLevelEntries, type Entry } from './json/object-entries.js';
import { jsonType, plainText, toGemma, toPython, toTags } from './write-values.js';
import { parseModelOutput } from './parse-model-output.js';
import { defineFallbackFree } from './writer-options.js';

/**
 * Writes calls as the format's models do, from the same frame that the reader uses.
 *
 * Tag values have no escape, so some calls cannot be written: the text is read back, and what would not come back is refused.
 * throws AgentError `cannot-express`, naming the call and what would be read instead
 */
export function writeCalls(format: ToolFormat, calls: readonly CallToWrite[], tools: readonly ToolDefinition[] = []): string {
  const text = writeBlocks(format, calls.map((call, index) => writeCall(format, call, index, tools)));
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
  const open = block?.open[0];
  if (block === undefined || open === undefined) return written.join('\n');
  const wrap = (body: string): string => `${open.text}${block.padding[0]}${body}${block.padding[1]}${block.close[0]?.text ?? ''}`;
  return block.calls === 'one' ? written.map(wrap).join(block.separator) : written.length === 0 ? '' : wrap(written.join(block.separator));
}

function writeCall(format: ToolFormat, call: CallToWrite, index: number, tools: readonly ToolDefinition[]): string {
  return format.call.map((step) => {
    switch (step.kind) {
      case 'literal':
      case 'space':
      case 'any': return step.text;
      case 'name': return call.name;
      case 'call-id': return call.id ?? writeId(call.name, index, step.prefix, step.ordinal);
      case 'body': return writeBody(format, step.codec, call, tools);
      default: return '';
    }
  }).join('');
}

function writeBody(format: ToolFormat, codec: BodyCodec, call: CallToWrite, tools: readonly ToolDefinition[]): string {
  const entries = (): readonly Entry[] => {
    const found = topLevelEntries(call.arguments);
    if (found === undefined) throw new AgentError('cannot-express', `Format "${format.name}" cannot express call "${call.name}": expected its arguments to be a JSON object, found ${call.arguments.slice(0, 80)}.`);
    return found;
  };
  switch (codec.kind) {
    case 'json-arguments': return call.arguments;
    case 'json-call': {
      const [nameKey] = codec.nameKeys;
      return nameKey === undefined ? `{${quoteJson(call.name)}: ${call.arguments}}` : `{${quoteJson(nameKey)}: ${quoteJson(call.name)}, ${quoteJson(codec.argumentKeys[0] ?? 'arguments')}: ${call.arguments}}`;
    }
    case 'pairs': return entries().map((entry) => writePair(codec, entry, call, tools)).join(codec.separator);
    case 'python-arguments': return `${entries().map(({ key, json }) => `${key}=${toPython(json)}`).join(', ')})`;
    case 'gemma-arguments': return `{${entries().map(({ key, json }) => `${key}:${toGemma(json, codec.quote)}`).join(',')}}`;
    case 'nested-tags': return entries().map(({ key, json }) => toTags(key, json, codec.prefix)).join('');
    case 'text-argument': return entries().map(({ json }) => plainText(json)).join('');
    case 'tool-tags': return `${entries().map(({ key, json }) => writeTag(key, plainText(json))).join('')}</${call.name}>`;
    case 'custom': return codec.write(call);
  }
}

function writeTag(key: string, value: string): string {
  const padding = value.includes('\n') ? '\n' : '';
  return `<${key}>${padding}${value}${padding}</${key}>\n`;
}

function writePair(codec: PairsCodec, { key, json }: Entry, call: CallToWrite, tools: readonly ToolDefinition[]): string {
  const value = plainText(json);
  const padding = codec.padding === 'line' || (codec.padding === 'multiline' && value.includes('\n')) ? '\n' : '';
  const isString = json.startsWith('"');
  const type = codec.types === 'flag' ? String(isString) : jsonType(json, call, key, tools);
  return codec.pair.map((step) => {
    switch (step.kind) {
      case 'key': return key;
      case 'type': return type;
      case 'value': return `${padding}${value}${padding}`;
      case 'literal':
      case 'space': return step.text;
      default: return '';
    }
  }).join('');
}

/** A thought as the format's models write it, with what stands behind it. */
export function writeReasoning(format: ReasoningFormat, text: string): string {
  const [inside, before, after] = format.padding;
  return `${format.open[0]?.text ?? ''}${inside}${text}${before}${format.close[0]?.text ?? ''}${after}`;
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

