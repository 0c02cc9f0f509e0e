import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

/** What Codex itself writes into messages of the user. */
export const CODEX_OPENERS = [
  '<environment_context>', '<user_instructions>', '<permissions', '<turn_aborted>', '<skill', '<multi_agent', '<apps_instructions', '<plugins_instructions', '<collaboration_mode',
  '<user_shell_command>', '<subagent_notification>', '<model_switch>', '<token_budget', '<recommended_plugins>', '# AGENTS.md instructions', '<hook_prompt', '<goal_context>',
] as const;

/**
 * True for text that another agent sent. With `fork_turns: none` it is recorded as an assistant message, so a role proves no sampling
 * (openai/codex#25458).
 */
export function isMailboxText(text: string): boolean {
  if (/^Message Type: [A-Z_]+\n(?:[A-Z][\w ]*: .*\n)*?Sender: /.test(text)) return true;
  const envelope = text.startsWith('{') ? parsed(text) : undefined;
  return envelope !== undefined && typeof envelope['author'] === 'string' && typeof envelope['recipient'] === 'string' && 'content' in envelope;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
