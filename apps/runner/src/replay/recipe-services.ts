import type { ChatTemplate, RecipeServices, Tokenizer, ToolFormat } from '@turnwright/contracts';
import { createPromptEncoder, deriveCallIds, parseServerProfile, type ReplyFormat } from '@turnwright/prompting';
import { writeCalls } from '@turnwright/parsing';
import type { Application } from '../composition/application.js';
import { readsCalls } from './reads-calls.js';
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
    createEncoder: (encoding) => createPromptEncoder({ tokenizer, template, ...encoding, ...(formats.kind === 'none' ? {} : { format: replyFormat(formats, fallbacksOf(application, formats)) }) }),
    provenance: { server: options.server, template: template.fingerprint, tokenizer: tokenizer.fingerprint },
    ...callIdsOf(formats, template),
    mergePolicy: (name) => application.mergePolicies.get(name),
  };
  return { services, tokenizer, template, formats };
}

type Chosen = Extract<ChosenFormats, { readonly kind: 'chosen' }>;

function fallbacksOf(application: Application, { format }: Chosen): readonly ToolFormat[] {
  return application.fallbacks.filter((fallback) => fallback !== format);
}

function replyFormat({ format, reasoning }: Chosen, fallbacks: readonly ToolFormat[]): ReplyFormat {
  return { reasoning, writeCalls: (calls) => writeCalls(format, calls), reads: (output, calls) => readsCalls(output, calls, { format, reasoning, fallbacks }) };
}

function callIdsOf(formats: ChosenFormats, template: ChatTemplate): Pick<RecipeServices, 'callIds'> {
  const step = formats.kind === 'none' ? undefined : formats.format.call.find(({ kind }) => kind === 'call-id');
  if (step?.kind === 'call-id') return { callIds: { kind: 'named', prefix: step.prefix, ordinal: step.ordinal } };
  return deriveCallIds(template) === 'any' ? {} : { callIds: { kind: 'nine-alphanumerics' } };
}
