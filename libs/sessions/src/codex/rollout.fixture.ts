/** Lines of a rollout, in the envelope of the newer generation. */
export function rollout(...records: (readonly [type: string, payload: object])[]): string {
  return records.map(([type, payload], index) => `${JSON.stringify({ timestamp: `2026-02-03T10:00:${String(index).padStart(2, '0')}Z`, type, payload })}\n`).join('');
}

export const meta = (id: string, fields: object = {}) => ['session_meta', { id, cwd: '/srv/app', cli_version: '0.140.0', ...fields }] as const;
export const item = (payload: object) => ['response_item', payload] as const;
export const event = (type: string, fields: object = {}) => ['event_msg', { type, ...fields }] as const;
export const asks = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
export const answers = (text: string, fields: object = {}) => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], ...fields });
export const calls = (id: string, args: string, name = 'exec_command') => item({ type: 'function_call', call_id: id, name, arguments: args });
export const output = (id: string, text: unknown) => item({ type: 'function_call_output', call_id: id, output: text });
export const counted = (input: number, outputTokens: number) => event('token_count', { info: { last_token_usage: { input_tokens: input, output_tokens: outputTokens } } });
