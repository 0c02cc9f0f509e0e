import type { TemplateMessage, ToolDefinition } from '@turnwright/contracts';
import { createControlTextTest } from './control-text.js';

/** What of a text matters before it is rendered. */
export interface TextAnalysis {
  readonly controlText: boolean;
}

export interface TextAnalyser {
  message(message: TemplateMessage): TextAnalysis;
  tools(tools: readonly ToolDefinition[]): TextAnalysis;
}

/** Looks at each message and each list of tools once. */
export function createTextAnalyser(control: ReadonlySet<string>): TextAnalyser {
  const hasControlText = createControlTextTest(control);
  const analyse = (text: string): TextAnalysis => ({ controlText: hasControlText(text) });
  return {
    message: remembering((message) => analyse(messageText(message))),
    // JSON text may spell a `<` as an escape, which the template's printing undoes.
    tools: remembering((tools) => analyse(tools.map((tool) => `${tool.name}${SEPARATOR}${tool.source === undefined ? JSON.stringify(tool) : unescaped(tool.source)}`).join(SEPARATOR))),
  };
}

const SEPARATOR = '\n';
const ESCAPE = /\\u([0-9a-fA-F]{4})/g;

function unescaped(json: string): string {
  return json.includes('\\u') ? json.replace(ESCAPE, (_, hexadecimal: string) => String.fromCharCode(parseInt(hexadecimal, 16))) : json;
}

/** A message's texts, apart from one another so that no control text arises where two meet. */
function messageText({ content, reasoning_content: reasoning, tool_calls: calls, tool_call_id: id }: TemplateMessage): string {
  return [content, reasoning ?? '', id ?? '', ...(calls ?? []).flatMap((call) => [call.id ?? '', call.function.name, unescaped(call.function.arguments)])].join(SEPARATOR);
}

function remembering<K extends object>(analyse: (key: K) => TextAnalysis): (key: K) => TextAnalysis {
  const known = new WeakMap<K, TextAnalysis>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const analysis = analyse(key);
    known.set(key, analysis);
    return analysis;
  };
}
