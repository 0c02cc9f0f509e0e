import type { JsonText } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';
import { text } from './entry.js';

/**
 * The arguments as the model wrote them, where the harness stored something else.
 *
 * Claude Code cuts `cd <current directory> && ` from a Bash command before it runs, stores and sends it back, and leaves a
 * `wireIngestContext` with the directory; it puts `"replace_all": false` in front of the keys of every Edit. Later prompts hold the
 * stored form, so only the sampled side is restored.
 * source  Claude Code 2.1.332 against a scripted upstream that knew what it had sent
 */
export function sampledArguments(call: { readonly id?: string; readonly name: string; readonly arguments: JsonText }, record: JsonObject): JsonText {
  if (call.name === 'Edit' && call.arguments.startsWith(ADDED_KEY)) return `{${call.arguments.slice(ADDED_KEY.length)}`;
  const contexts = isObject(record['wireIngestContext']) ? record['wireIngestContext'] : {};
  const context = call.id === undefined ? undefined : contexts[call.id];
  const directory = isObject(context) ? text(context['cwd']) : undefined;
  const command = directory === undefined ? undefined : findRaw(call.arguments, ['command']);
  if (directory === undefined || command === undefined || call.arguments[command.start] !== '"') return call.arguments;
  const prefix = JSON.stringify(`cd ${directory} && `).slice(1, -1);
  return call.arguments.slice(0, command.start + 1) + prefix + call.arguments.slice(command.start + 1);
}

const ADDED_KEY = '{"replace_all": false, ';
