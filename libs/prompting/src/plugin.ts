import { definePlugin } from '@turnwright/contracts';
import { modelFamilies } from './models/families.js';
import { familyTemplate, familyTokenizer } from './models/model-family.js';
import { qwen3Template, qwen3Tokenizer } from './qwen3.js';

/** What the package brings: Qwen3, whose data are installed with it, and the families whose models lie on the user's machine. */
export const promptingContents = {
  tokenizers: [qwen3Tokenizer, ...modelFamilies.map((family) => familyTokenizer(family))],
  templates: [qwen3Template, ...modelFamilies.map((family) => familyTemplate(family))],
} as const;

export const plugin = definePlugin({ apiVersion: 1, name: 'prompting', ...promptingContents });
