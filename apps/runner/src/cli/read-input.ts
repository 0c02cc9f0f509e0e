import { readFile } from 'node:fs/promises';
import { AgentError } from '@turnwright/contracts';

/** A file's text, or standard input's when no file is named. throws AgentError `missing-input` */
export async function readInput(file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AgentError('missing-input', `Input ${file}: expected a readable file, found ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`, { fields: { file }, cause });
  }
}
