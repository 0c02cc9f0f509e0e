import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { AgentError } from '@turnwright/contracts';

const require = createRequire(import.meta.url);

/**
 * A JSON file of an installed data package.
 *
 * The file is read, not imported, so that no code of the package runs.
 * throws AgentError `missing-data`, saying what to install
 */
export async function readPackageJson(packageName: string, file: string): Promise<unknown> {
  const specifier = `${packageName}/${file}`;
  try {
    return JSON.parse(await readFile(require.resolve(specifier), 'utf8')) as unknown;
  } catch (cause) {
    throw new AgentError('missing-data', `Data file "${specifier}" cannot be read. Install its package: npm install ${packageName}`, { fields: { packageName, file }, cause });
  }
}
