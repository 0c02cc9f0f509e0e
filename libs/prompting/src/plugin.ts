import { definePlugin } from '@turnwright/contracts';
import { qwen3Template, qwen3Tokenizer } from './qwen3.js';

/** What the package brings. */
export const promptingContents = { tokenizers: [qwen3Tokenizer], templates: [qwen3Template] } as const;

export const plugin = definePlugin({ apiVersion: 1, name: 'prompting', ...promptingContents });
