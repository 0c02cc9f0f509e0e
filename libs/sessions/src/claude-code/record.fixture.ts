/** Fields of a record that a case sets; everything else is what Claude Code usually writes. */
export type Fields = Readonly<Record<string, unknown>>;

const ENVELOPE = { isSidechain: false, userType: 'external', cwd: '/w', sessionId: 's1', version: '2.1.40' };

/** A user line: text, or blocks. */
export function user(uuid: string, parentUuid: string | null, content: unknown, fields: Fields = {}): string {
  return JSON.stringify({ parentUuid, ...ENVELOPE, type: 'user', message: { role: 'user', content }, uuid, ...fields });
}

/** A line with one block of a reply. */
export function reply(uuid: string, parentUuid: string | null, messageId: string | undefined, block: unknown, fields: Fields = {}, message: Fields = {}): string {
  return JSON.stringify({ parentUuid, ...ENVELOPE, type: 'assistant', message: { id: messageId, model: 'policy', role: 'assistant', content: [block], stop_reason: null, ...message }, uuid, ...fields });
}

/** Any other record. */
export function other(uuid: string, parentUuid: string | null, type: string, fields: Fields = {}): string {
  return JSON.stringify({ parentUuid, ...ENVELOPE, type, uuid, ...fields });
}

/** A text block. */
export const text = (value: string): Fields => ({ type: 'text', text: value });
/** A thinking block. */
export const thinking = (value: string): Fields => ({ type: 'thinking', thinking: value, signature: 'c2ln' });
/** A tool call block. */
export const call = (id: string, name = 'Bash', input: unknown = { command: id }): Fields => ({ type: 'tool_use', id, name, input });
/** A tool result block. */
export const result = (id: string, content: unknown): Fields => ({ type: 'tool_result', tool_use_id: id, content });

/** Lines as a file. */
export function lines(...records: readonly string[]): string {
  return records.map((record) => `${record}\n`).join('');
}
