import type { ChatTemplate, RecipeServices, Tokenizer } from '@turnwright/contracts';
import { createPromptEncoder } from '@turnwright/prompting';
import type { Application } from '../composition/application.js';
import { formatsOfRun, type ChosenFormats } from './choose-format.js';

export interface ServiceOptions {
  readonly tokenizer: string;
  readonly template?: string;
  readonly toolCallParser: string;
  readonly reasoningParser: string;
}

export interface LoadedServices {
  readonly services: RecipeServices;
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  readonly formats: ChosenFormats;
}

/** Loads what a recipe needs. throws AgentError `unknown-name`, `missing-data` */
export async function loadServices(application: Application, options: ServiceOptions): Promise<LoadedServices> {
  const tokenizer = await application.tokenizers.get(options.tokenizer).load();
  const template = await application.templates.get(options.template ?? options.tokenizer).load();
  const formats = formatsOfRun(application, template, options);
  const services: RecipeServices = {
    tokenizer,
    createEncoder: (encoding) => createPromptEncoder({ tokenizer, template, ...encoding }),
    mergePolicy: (name) => application.mergePolicies.get(name),
    ...(formats.kind === 'none' ? {} : { check: { format: formats.format, reasoning: formats.reasoning, fallbacks: application.fallbacks.filter((fallback) => fallback !== formats.format) } }),
  };
  return { services, tokenizer, template, formats };
}
