import type { CallPrompt, Known, SourceFile, ToolDefinition } from '@turnwright/contracts';
import type { RecordContent } from './content.js';
import type { FileIndex } from './file-index.js';
import type { Reply } from './replies.js';

/** Prompts that the file logged itself. */
export interface ExactPrompts {
  readonly systemPrompt: Known<string>;
  readonly tools: Known<readonly ToolDefinition[]>;
  promptOf(reply: Reply): CallPrompt | undefined;
}

export async function loadExactPrompts(_source: SourceFile, _file: FileIndex, _replies: readonly Reply[], _contents: ReadonlyMap<number, RecordContent>, _callIdOf: (reply: Reply) => string | undefined): Promise<ExactPrompts> {
  return { systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, promptOf: () => undefined };
}
