import type { ToolDefinition, ToolFormat } from '@turnwright/contracts';
import type { ParserOptions } from './stages/output-parser.js';

/** How a written text is read back: by its own format alone. */
export function defineFallbackFree(format: ToolFormat, tools: readonly ToolDefinition[]): ParserOptions {
  return { format, tools, fallbacks: [] };
}
