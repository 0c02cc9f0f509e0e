import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hidden, MANIFEST, writing } from './output-directory.js';

/** What made a run's output: enough to make it again, byte for byte. No times and no machine. */
export interface Manifest {
  readonly turnwright: string;
  readonly recipe: { readonly name: string; readonly options: unknown };
  readonly tokenizer: { readonly name: string; readonly fingerprint: string };
  /** The server changes a request before the template sees it, and the clock is what a template that writes dates was shown. */
  readonly template: { readonly name: string; readonly server: string; readonly now: string | null; readonly fingerprint: string; readonly source: string };
  readonly parsers: { readonly toolCall: string; readonly reasoning: string; readonly reason: string } | null;
  readonly format: string;
  readonly rowsPerFile: number;
  readonly redacted: boolean;
  /** Of a package, the hash is null: its version is the lock file's. */
  readonly plugins: readonly { readonly specifier: string; readonly name: string; readonly sha256: string | null }[];
  /** Files beside the sessions: system prompt, tools, rewards. */
  readonly supplements: readonly { readonly option: string; readonly file: string; readonly sha256: string }[];
  readonly inputs: readonly { readonly file: string; readonly bytes: number; readonly sha256: string | null; readonly reader: string | null }[];
  readonly files: readonly string[];
  readonly totals: unknown;
}

export function turnwrightVersion(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Written last: a directory without a manifest holds no finished run. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const partial = join(directory, hidden(MANIFEST));
  await writing(partial, async () => {
    await writeFile(partial, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
    await rename(partial, join(directory, MANIFEST));
  });
}
