import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extendPrompt, type MessagePart, type ModelCall, type PromptEncoder, type PromptNode, type EncodedCall, type EncodeContext, type SessionMessage } from '@turnwright/contracts';

const BYTES = 'bytes' as const;

export const user = (text: string): SessionMessage => ({ role: 'user', parts: [{ kind: 'text', text, author: 'user', exactness: BYTES }] });
export const results = (...texts: readonly string[]): SessionMessage => ({ role: 'tool', parts: texts.map((text, index) => ({ kind: 'tool-result', toolCallId: `c${index}`, text, author: 'tool', exactness: BYTES })) });
export const says = (text: string): MessagePart => ({ kind: 'text', text, author: 'sampled', exactness: BYTES });
export const thinks = (text: string): MessagePart => ({ kind: 'reasoning', text, author: 'sampled', exactness: BYTES });
export const calls = (name: string, json: string): MessagePart => ({ kind: 'tool-call', id: 'c0', name, arguments: json, author: 'sampled', exactness: BYTES });
export const reply = (...parts: readonly MessagePart[]): SessionMessage => ({ role: 'assistant', parts });

export function path(...messages: readonly SessionMessage[]): PromptNode | undefined {
  return messages.reduce<PromptNode | undefined>(extendPrompt, undefined);
}

/** A call that saw `messages` and sampled `sampled`. */
export function modelCall(messages: readonly SessionMessage[], sampled: readonly MessagePart[], rest: Partial<ModelCall> = {}): ModelCall {
  return { id: 'call', identity: 'call', prompt: { status: 'exact', reasons: [], head: path(...messages) }, sampled, finishReason: 'stop', loss: true, position: { file: 'f', line: 0, byteOffset: 0 }, ...rest };
}

/** The encoded call; a refusal fails the test with its reason. */
export function encoded(encoder: PromptEncoder, call: ModelCall, context: EncodeContext = {}): EncodedCall {
  const result = encoder.encodeCall(call, context);
  if ('refused' in result) throw new Error(`refused: ${result.refused}: ${result.message}`);
  return result;
}

/** The shared packs, beside the workspace; undefined where they are absent. */
export function sharedFile(name: string): string | undefined {
  const file = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
  if (existsSync(file)) return file;
  console.log(`Skipped: ${name} is not beside the workspace.`);
  return undefined;
}
