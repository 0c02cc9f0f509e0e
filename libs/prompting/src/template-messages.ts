import type { MessagePart, SessionMessage, TemplateMessage } from '@turnwright/contracts';

/** A message in a template's names, and whether something of it has none. */
export interface ConvertedMessage {
  readonly messages: readonly TemplateMessage[];
  readonly mediaOmitted: boolean;
}

export type MessageConverter = (message: SessionMessage) => ConvertedMessage;

/** Converts a message once, whether it comes as a reply or as history; the result is then the same object. */
export function createMessageConverter(): MessageConverter {
  const known = new WeakMap<readonly MessagePart[], { readonly role: SessionMessage['role']; readonly converted: ConvertedMessage }>();
  return (message) => {
    const before = known.get(message.parts);
    if (before?.role === message.role) return before.converted;
    const converted = convertMessage(message);
    known.set(message.parts, { role: message.role, converted });
    return converted;
  };
}

/**
 * A session's message as the server's request has it: one message for each tool result, and one for the texts between them.
 *
 * Texts of one message are joined by a newline, as vLLM and SGLang join content parts.
 */
function convertMessage({ role, parts }: SessionMessage): ConvertedMessage {
  const mediaOmitted = parts.some((part) => part.kind === 'media');
  if (role === 'assistant') return { messages: [assistantMessage(parts)], mediaOmitted };
  const messages: TemplateMessage[] = [];
  let texts: string[] = [];
  const endTexts = (): void => {
    if (texts.length > 0) messages.push({ role, content: texts.join('\n') });
    texts = [];
  };
  for (const part of parts) {
    if (part.kind === 'text') texts.push(part.text);
    if (part.kind !== 'tool-result') continue;
    endTexts();
    messages.push({ role: 'tool', content: part.text, ...(part.toolCallId === undefined ? {} : { tool_call_id: part.toolCallId }) });
  }
  endTexts();
  // A message that had media only was still a turn.
  if (messages.length === 0) messages.push({ role, content: '' });
  return { messages, mediaOmitted };
}

/**
 * A reply in a template's names.
 *
 * `reasoning_content` is always there, since a template that misses it looks for reasoning in the content.
 */
export function assistantMessage(parts: readonly MessagePart[]): TemplateMessage {
  const calls = callParts(parts);
  return {
    role: 'assistant',
    content: textParts(parts).map((part) => part.text).join(TEXT_JOINT),
    reasoning_content: reasoningParts(parts).map((part) => part.text).join(REASONING_JOINT),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ id, name, arguments: text }) => ({ ...(id === undefined ? {} : { id }), type: 'function' as const, function: { name, arguments: text } })) }),
  };
}

export const TEXT_JOINT = '';
export const REASONING_JOINT = '\n';

type Part<Kind extends MessagePart['kind']> = Extract<MessagePart, { readonly kind: Kind }>;

export function textParts(parts: readonly MessagePart[]): readonly Part<'text'>[] {
  return parts.filter((part) => part.kind === 'text');
}

/** Reasoning whose text is the sampled text; a digest of it was never in the model's context. */
export function reasoningParts(parts: readonly MessagePart[]): readonly Part<'reasoning'>[] {
  return parts.filter((part) => part.kind === 'reasoning').filter((part) => !isWithheld(part));
}

export function callParts(parts: readonly MessagePart[]): readonly Part<'tool-call'>[] {
  return parts.filter((part) => part.kind === 'tool-call');
}

export function isWithheld(part: MessagePart): boolean {
  return part.kind === 'reasoning' && (part.exactness === 'withheld' || part.exactness === 'summary-only');
}

/** False when the template's order (reasoning, text, calls) is not the sampled one. */
export function inTemplateOrder(parts: readonly MessagePart[]): boolean {
  const ranks = parts.map((part) => TEMPLATE_ORDER.indexOf(part.kind)).filter((rank) => rank >= 0);
  return ranks.every((rank, index) => index === 0 || rank >= (ranks[index - 1] ?? 0));
}

const TEMPLATE_ORDER: readonly MessagePart['kind'][] = ['reasoning', 'text', 'tool-call'];
