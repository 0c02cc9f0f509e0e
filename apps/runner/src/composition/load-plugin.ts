import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as contracts from '@turnwright/contracts';
import { AgentError, parsePlugin, type Plugin } from '@turnwright/contracts';
import * as parsing from '@turnwright/parsing';
import { createJiti } from 'jiti';
import * as zod from 'zod';
import * as turnwright from '../index.js';

/**
 * Packages that a plugin may import wherever it lies.
 *
 * It gets the runner's own modules, never copies: an AgentError of a copy would be no AgentError here.
 */
const SHARED_MODULES = { '@turnwright/contracts': contracts, '@turnwright/parsing': parsing, turnwright, zod };

/**
 * Loads a user's plugin: a TypeScript or JavaScript file, or an installed package.
 *
 * The plugin is the default export, or the export named `plugin`.
 * throws  AgentError `bad-plugin`, naming the plugin and what was expected
 */
export async function loadPlugin(specifier: string, directory = process.cwd()): Promise<Plugin> {
  const jiti = createJiti(import.meta.url, { virtualModules: SHARED_MODULES, interopDefault: false, fsCache: false, moduleCache: false });
  const file = locate(specifier, directory, (name, parentURL) => jiti.esmResolve(name, { parentURL, try: true }));
  let loaded: Record<string, unknown>;
  try {
    loaded = await jiti.import<Record<string, unknown>>(file);
  } catch (cause) {
    if (cause instanceof AgentError) throw new AgentError(cause.code, `Plugin ${specifier}: ${cause.message}`, { fields: { ...cause.fields, specifier }, cause });
    throw new AgentError('bad-plugin', `Plugin ${specifier}: it failed while loading: ${messageOf(cause)}.`, { fields: { specifier }, cause });
  }
  // A CommonJS module may be the plugin itself.
  const value = loaded['default'] ?? loaded['plugin'] ?? ('apiVersion' in loaded ? loaded : undefined);
  if (value === undefined) throw new AgentError('bad-plugin', `Plugin ${specifier}: expected a default export, or an export named "plugin", made with definePlugin(…); found ${Object.keys(loaded).join(', ') || 'no exports'}.`, { fields: { specifier } });
  return parsePlugin(value, specifier);
}

function locate(specifier: string, directory: string, resolvePackage: (name: string, parentURL: string) => string | undefined): string {
  const isPath = specifier.startsWith('.') || isAbsolute(specifier) || /\.[cm]?[jt]s$/.test(specifier);
  const path = resolve(directory, specifier);
  const found = isPath ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (isPath && found?.isFile() !== true) throw new AgentError('bad-plugin', `Plugin ${specifier}: expected a file at ${path}, found ${found === undefined ? 'nothing' : 'something else'}.`, { fields: { specifier, path } });
  if (isPath) return path;
  const url = specifier === '' ? undefined : resolvePackage(specifier, pathToFileURL(join(directory, 'package.json')).href);
  if (url === undefined) throw new AgentError('bad-plugin', `Plugin ${specifier}: expected an installed package of this name or a path such as ./${specifier}.ts, found neither.`, { fields: { specifier } });
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\s+/g, ' ').replace(/\.$/, '') : String(cause);
}
