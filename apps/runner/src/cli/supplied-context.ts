import { readFile } from 'node:fs/promises';
import { AgentError, type Session, type ToolDefinition } from '@turnwright/contracts';
import { readTools } from './parse-command.js';

/** System prompt and tools that the user knows and the session does not. throws AgentError `missing-input`, `bad-option` */
export async function suppliedContext(options: { readonly system?: string; readonly tools?: string }): Promise<(session: Session) => Session> {
  const system = options.system === undefined ? undefined : await readSystem(options.system);
  const tools: readonly ToolDefinition[] | undefined = options.tools === undefined ? undefined : await readTools(options.tools);
  return (session) => ({
    ...session,
    ...(system !== undefined && session.systemPrompt.status === 'unknown' ? { systemPrompt: { status: 'supplied', value: system } } : {}),
    ...(tools !== undefined && session.tools.status === 'unknown' ? { tools: { status: 'supplied', value: tools } } : {}),
  });
}

async function readSystem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AgentError('missing-input', `System prompt ${path}: expected a readable file, found ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`, { fields: { path }, cause });
  }
}
