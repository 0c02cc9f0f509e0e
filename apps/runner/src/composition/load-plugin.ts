import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AgentError, parsePlugin, type Plugin } from '@turnwright/contracts';
import { createJiti } from 'jiti';

/** Packages that a plugin may import wherever it lies; it gets the runner's own copies. */
const SHARED_PACKAGES = ['@turnwright/contracts', '@turnwright/parsing', '@turnwright/testing', 'turnwright', 'zod'];

/**
 * Loads a user's plugin: a TypeScript or JavaScript file, or an installed package.
 *
 * The plugin is the default export, or the export named `plugin`.
 * throws  AgentError `bad-plugin`, naming the plugin and what was expected
 */
export async function loadPlugin(specifier: string, directory = process.cwd()): Promise<Plugin> {
  const file = locate(specifier, directory);
  let loaded: Record<string, unknown>;
  try {
    loaded = await createJiti(import.meta.url, { alias: aliases(), fsCache: false, moduleCache: false }).import<Record<string, unknown>>(file);
  } catch (cause) {
    throw new AgentError('bad-plugin', `Plugin ${specifier}: it failed while loading: ${messageOf(cause)}.`, { fields: { specifier }, cause });
  }
  const value = loaded['default'] ?? loaded['plugin'];
  if (value === undefined) throw new AgentError('bad-plugin', `Plugin ${specifier}: expected a default export, or an export named "plugin", made with definePlugin(…); found ${Object.keys(loaded).join(', ') || 'no exports'}.`, { fields: { specifier } });
  return parsePlugin(value, specifier);
}

function locate(specifier: string, directory: string): string {
  const isPath = specifier.startsWith('.') || isAbsolute(specifier) || /\.[cm]?[jt]s$/.test(specifier);
  const path = resolve(directory, specifier);
  if (isPath && !existsSync(path)) throw new AgentError('bad-plugin', `Plugin ${specifier}: expected a file at ${path}, found none.`, { fields: { specifier, path } });
  if (isPath) return path;
  try {
    return createRequire(pathToFileURL(join(directory, 'package.json'))).resolve(specifier);
  } catch (cause) {
    throw new AgentError('bad-plugin', `Plugin ${specifier}: expected an installed package of this name or a path such as ./${specifier}.ts, found neither.`, { fields: { specifier }, cause });
  }
}

function aliases(): Record<string, string> {
  return Object.fromEntries(SHARED_PACKAGES.flatMap((name) => {
    try {
      return [[name, fileURLToPath(import.meta.resolve(name))]];
    } catch {
      return [];
    }
  }));
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
}
