import type { ChatTemplate, RecipeServices, Tokenizer } from '@turnwright/contracts';
import { createPromptEncoder, deriveCallIds, parseServerProfile } from '@turnwright/prompting';
import { writeCalls } from '@turnwright/parsing';
import type { Application } from '../composition/application.js';
import { formatsOfRun, type ChosenFormats } from './choose-format.js';
import { findTemplate, findTokenizer } from './find-model.js';

export interface ServiceOptions {
  readonly tokenizer: string;
  readonly template?: string;
  readonly server: string;
  readonly now?: string;
  readonly toolCallParser: string;
  readonly reasoningParser: string;
}

export interface LoadedServices {
  readonly services: RecipeServices;
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  readonly formats: ChosenFormats;
}

/** Loads what a recipe needs. throws AgentError `unknown-name`, `missing-data`, `unsupported` */
export async function loadServices(application: Application, options: ServiceOptions): Promise<LoadedServices> {
  const tokenizer = await findTokenizer(application, options.tokenizer);
  const template = await findTemplate(application, options.template ?? options.tokenizer, { server: parseServerProfile(options.server), ...(options.now === undefined ? {} : { now: options.now }) }, tokenizer);
  const formats = formatsOfRun(application, template, options);
  const services: RecipeServices = {
    tokenizer,
    createEncoder: (encoding) => createPromptEncoder({ tokenizer, template, ...encoding, ...(formats.kind === 'none' ? {} : { format: { reasoning: formats.reasoning, writeCalls: (calls) => writeCalls(formats.format, calls) } }) }),
    provenance: { server: options.server, template: template.fingerprint, tokenizer: tokenizer.fingerprint },
    ...callIdsOf(formats, template),
    mergePolicy: (name) => application.mergePolicies.get(name),
    ...(formats.kind === 'none' ? {} : { check: { format: formats.format, reasoning: formats.reasoning, fallbacks: application.fallbacks.filter((fallback) => fallback !== formats.format) } }),
  };
  return { services, tokenizer, template, formats };
}

function callIdsOf(formats: ChosenFormats, template: ChatTemplate): Pick<RecipeServices, 'callIds'> {
  const step = formats.kind === 'none' ? undefined : formats.format.call.find(({ kind }) => kind === 'call-id');
  if (step?.kind === 'call-id') return { callIds: { kind: 'named', prefix: step.prefix, ordinal: step.ordinal } };
  return deriveCallIds(template) === 'any' ? {} : { callIds: { kind: 'nine-alphanumerics' } };
}
