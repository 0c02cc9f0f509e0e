import { stat } from 'node:fs/promises';
import { AgentError, unknownName, type ChatTemplate, type Serving, type Tokenizer } from '@turnwright/contracts';
import { findModel, loadTemplateFrom, loadTokenizerFrom, templateSettings } from '@turnwright/prompting';
import type { Application } from '../composition/application.js';

/**
 * A tokenizer by name: a registered one, a model's folder, or a Hugging Face repository that lies on this machine.
 *
 * throws AgentError `unknown-name`, `missing-data`
 */
export async function findTokenizer(application: Application, name: string): Promise<Tokenizer> {
  const registered = application.tokenizers.find(name);
  if (registered !== undefined) return registered.load();
  if (await exists(name)) return loadTokenizerFrom(name, name);
  const model = await findModel(name);
  if (model === undefined) throw unknownModel('tokenizer', name, application.tokenizers.names);
  return loadTokenizerFrom(model.folder, model.repository);
}

/**
 * A chat template by name: a registered one, a file or a model's folder, or a Hugging Face repository that lies on this machine.
 *
 * A file alone does not say which tokens it writes as `bos_token` and `eos_token`: those are the tokenizer's.
 * throws AgentError `unknown-name`, `missing-data`, `template-failed`; `unsupported` when it cannot be had for that server
 */
export async function findTemplate(application: Application, name: string, serving: Serving, tokenizer?: Tokenizer): Promise<ChatTemplate> {
  const template = await loadNamed(application, name, serving, tokenizer);
  const { server = 'transformers' } = template;
  if (serving.server === undefined || server === serving.server) return template;
  throw new AgentError('unsupported', `Chat template "${name}": expected what ${serving.server} would render, found a template that renders as ${server} does, whatever it is asked.`, { fields: { name, server: serving.server } });
}

async function loadNamed(application: Application, name: string, serving: Serving, tokenizer: Tokenizer | undefined): Promise<ChatTemplate> {
  const registered = application.templates.find(name);
  if (registered !== undefined) return registered.load(serving);
  if (await exists(name)) return loadTemplateFrom(name, { ...templateSettings(serving), ...(tokenizer?.namedTokens === undefined || !name.endsWith('.jinja') ? {} : { variables: tokenizer.namedTokens }) });
  const model = await findModel(name);
  if (model === undefined) throw unknownModel('chat template', name, application.templates.names);
  return loadTemplateFrom(model.folder, { ...templateSettings(serving), name: model.repository, source: model.source });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}

function unknownModel(kind: string, name: string, known: readonly string[]): AgentError {
  const unknown = unknownName(kind, name, known);
  return new AgentError('unknown-name', `${unknown.message} There is no file or folder of that name either, and no such model in Hugging Face's cache or TURNWRIGHT_MODELS.`, { fields: unknown.fields });
}
