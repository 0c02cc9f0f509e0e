import { readFileSync } from 'node:fs';
import { AgentError } from '@turnwright/contracts';
import { topLevelEntries } from '@turnwright/parsing';
import { answerRender } from '@turnwright/prompting';
import { z } from 'zod';

const requestSchema = z.object({ id: z.string(), template: z.string(), conversations: z.string(), conversation: z.string(), options: z.record(z.string(), z.unknown()).optional(), bos_token: z.string().optional(), eos_token: z.string().optional(), now: z.string().optional() });

/** Answers requests of the `render` suite: files are read once, conversations as their raw lines. */
export function createRenderSuite(): (request: unknown, line: string) => unknown {
  const templates = new Map<string, string>();
  const conversations = new Map<string, ReadonlyMap<string, string>>();
  return (request, line) => {
    const { id, template, conversations: file, conversation, bos_token, eos_token, now } = requestSchema.parse(request);
    const conversationLine = remember(conversations, file, readConversations).get(conversation);
    if (conversationLine === undefined) throw new AgentError('missing-input', `Conversations ${file}: expected one with the id "${conversation}", found none.`, { fields: { file, conversation } });
    const variables = { ...(bos_token === undefined ? {} : { bos_token }), ...(eos_token === undefined ? {} : { eos_token }) };
    // The options' own text, since 1.0 and 1 print differently.
    const options = topLevelEntries(line)?.find(({ key }) => key === 'options')?.json ?? '{}';
    return answerRender({ id, templateText: remember(templates, template, (path) => readFileSync(path, 'utf8')), conversationLine, options, variables, ...(now === undefined ? {} : { now }) });
  };
}

function remember<T>(known: Map<string, T>, path: string, read: (path: string) => T): T {
  const found = known.get(path) ?? read(path);
  known.set(path, found);
  return found;
}

function readConversations(path: string): ReadonlyMap<string, string> {
  return new Map(readFileSync(path, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => [String((JSON.parse(line) as { id?: unknown }).id), line]));
}
