import type { ToolFormat } from '@turnwright/contracts';
import { quoteJson } from '../json/json-text.js';
import { topLevelEntries } from '../json/object-entries.js';
import type { ToolIndex } from '../schema/tool-index.js';

/** The name in an id such as `functions.find:0`; an id without a name gives the empty name. */
export function idParts(id: string, format: ToolFormat): { readonly name: string } {
  const step = format.call.find(({ kind }) => kind === 'call-id');
  const prefix = step?.kind === 'call-id' ? step.prefix : '';
  const ordinal = step?.kind === 'call-id' ? step.ordinal : '';
  const bare = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  const at = ordinal === '' ? -1 : bare.lastIndexOf(ordinal);
  const name = at >= 0 && /^\d*$/.test(bare.slice(at + ordinal.length)) ? bare.slice(0, at) : bare;
  return { name: /^\d+$/.test(name) ? '' : name };
}

/** The id is spelled as the format says, so that its name is meant, declared or not. */
export function isSpelledId(id: string, format: ToolFormat): boolean {
  const step = format.call.find(({ kind }) => kind === 'call-id');
  return step?.kind === 'call-id' && id.startsWith(step.prefix) && new RegExp(`[^\\d]${step.ordinal}\\d+$`).test(id);
}

/**
 * The declared tool that an id names although it is not spelled as the format says: `functions_open_page_4`, `functionsrunner5`
 * (SGLang #21377).
 */
export function declaredNameIn(id: string, format: ToolFormat, tools: ToolIndex): string | undefined {
  const { name } = idParts(id, format);
  if (tools.isEmpty || tools.has(name)) return name === '' ? undefined : name;
  const bare = id.replace(/^functions?[._:]?/, '').replace(/[._:]?\d+$/, '');
  return tools.has(bare) ? bare : undefined;
}

/**
 * The tool that arguments speak of when the id names none: a `name` among them that is declared, and is then no argument; or the only
 * tool that declares all of their keys. Undefined when neither tells.
 */
export function nameFromArguments(json: string, tools: ToolIndex): { readonly name: string; readonly json: string } | undefined {
  const entries = topLevelEntries(json);
  if (entries === undefined) return undefined;
  const named = entries.find(({ key, json: value }) => key === 'name' && value.startsWith('"') && tools.has(JSON.parse(value) as string));
  if (named !== undefined) return { name: JSON.parse(named.json) as string, json: `{${entries.filter((entry) => entry !== named).map((entry) => `${quoteJson(entry.key)}: ${entry.json}`).join(', ')}}` };
  const fitting = tools.names.filter((name) => entries.length > 0 && entries.every(({ key }) => tools.declares(name, key)));
  return fitting.length === 1 && fitting[0] !== undefined ? { name: fitting[0], json } : undefined;
}

/** The id as the format's models write it. */
export function writeId(name: string, index: number, prefix: string, ordinal: string): string {
  return `${prefix}${name}${ordinal}${String(index)}`;
}
