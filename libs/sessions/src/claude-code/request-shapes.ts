import type { Known, SessionMessage, SourceFile, ToolDefinition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw, respaceJson } from '../json-lines/raw-json.js';
import { wellFormed } from '../well-formed.js';
import { blocksOf } from './content.js';
import type { FileIndex } from './file-index.js';
import { eachRecord } from './load.js';

/** System prompt and tools of a request. */
export interface RequestShape {
  readonly systemPrompt: string;
  readonly systemMessage: SessionMessage | undefined;
  readonly tools: readonly ToolDefinition[];
  /** Equal for equal tools. */
  readonly toolsKey: string;
}

/** Reads logged shapes by hash. The billing header, a line that differs per conversation, is not logged and is no part of a prompt. */
export async function loadShapes(source: SourceFile, file: FileIndex, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, RequestShape>> {
  const shapes = new Map<string, RequestShape>();
  const ranges = [...wanted].flatMap((hash) => {
    const range = file.requests.shapes.get(hash);
    return range === undefined ? [] : [{ ...range, hash }];
  });
  ranges.sort((a, b) => a.byteOffset - b.byteOffset);
  await eachRecord(source, ranges, ({ hash }, record, json) => {
    if (isObject(record['shape'])) shapes.set(hash, shapeOf(record['shape'], json));
  });
  return shapes;
}

function shapeOf(shape: JsonObject, json: string): RequestShape {
  const texts = blocksOf(shape['system']).flatMap(({ block }) => (typeof block['text'] === 'string' ? [wellFormed(block['text'])] : []));
  const systemPrompt = texts.join('\n\n');
  const tools = (Array.isArray(shape['tools']) ? shape['tools'] : []).flatMap((tool: unknown, index) => (isObject(tool) ? (toolOf(tool, json, index) ?? []) : []));
  return {
    systemPrompt,
    systemMessage: texts.length === 0 ? undefined : { role: 'system', parts: [{ kind: 'text', text: systemPrompt, author: 'system', exactness: texts.length > 1 ? 're-rendered' : 'bytes' }] },
    tools,
    toolsKey: JSON.stringify(tools.map((tool) => tool.source)),
  };
}

/** A tool in the shape that servers give to chat templates; the schema keeps its own text. */
function toolOf(tool: JsonObject, json: string, index: number): ToolDefinition | undefined {
  const { name, description, input_schema: parameters } = tool;
  if (typeof name !== 'string' || name === '') return undefined;
  const span = findRaw(json, ['shape', 'tools', index, 'input_schema']);
  const schema = span === undefined ? undefined : respaceJson(json.slice(span.start, span.end));
  const fields = [`"name": ${JSON.stringify(name)}`, ...(typeof description === 'string' ? [`"description": ${JSON.stringify(description)}`] : []), ...(schema === undefined ? [] : [`"parameters": ${schema}`])];
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(parameters) ? { parameters } : {}),
    source: `{"type": "function", "function": {${fields.join(', ')}}}`,
  };
}

/** The value that a session knows, or that it knows none. */
export function known<T>(value: T | undefined): Known<T> {
  return value === undefined ? { status: 'unknown' } : { status: 'known', value };
}
