import type { JsonValue } from './json-value.js';
import { strip, strippedEnd } from './python/text.js';

/** What apply_chat_template refuses by itself, before or after a template runs. */
export class RequestFault extends Error {}

const TAG = 'CONTINUE_FINAL_MESSAGE_TAG ';

/** The messages with a tag at the end of the last one's field, and the cut that then ends the prompt there. */
export interface Continuation {
  readonly messages: readonly JsonValue[];
  cut(rendered: string): string;
}

/**
 * Makes a template end within the last message, so that the model continues it.
 *
 * source transformers 5.18.0 utils/chat_template_utils.py render_jinja_template
 * throws RequestFault
 */
export function continueFinalMessage(messages: readonly JsonValue[], field: string, templateText: string): Continuation {
  const last = messages.at(-1);
  const message: ReadonlyMap<string, JsonValue> = last instanceof Map ? (last as ReadonlyMap<string, JsonValue>) : new Map();
  const value = message.get(field) ?? null;
  if (value === null) throw new RequestFault(`continue_final_message is set but the final message has no "${field}" to continue!`);
  if (!templateText.includes(field)) throw new RequestFault(`continue_final_message is set to "${field}" but this is not an accepted field in the chat_template`);
  const { text, tagged } = Array.isArray(value) ? tagBlocks(value as readonly JsonValue[]) : tagText(value);
  return { messages: [...messages.slice(0, -1), new Map([...message, [field, tagged]])], cut: (rendered) => cutAtTag(rendered, text) };
}

interface Tagged {
  readonly text: string;
  readonly tagged: JsonValue;
}

function tagText(value: JsonValue): Tagged {
  if (typeof value !== 'string') throw new RequestFault('continue_final_message is set but the final message is no text!');
  return { text: value, tagged: value + TAG };
}

function tagBlocks(blocks: readonly JsonValue[]): Tagged {
  const index = blocks.findLastIndex((block) => block instanceof Map && block.has('text'));
  const block = blocks[index];
  if (!(block instanceof Map)) throw new RequestFault('continue_final_message is set but we could not find any text to continue in the final message!');
  const { text, tagged } = tagText((block as ReadonlyMap<string, JsonValue>).get('text') ?? null);
  return { text, tagged: blocks.with(index, new Map([...(block as ReadonlyMap<string, JsonValue>), ['text', tagged]])) };
}

function cutAtTag(rendered: string, text: string): string {
  const place = rendered.lastIndexOf(TAG.trim());
  if (place < 0 || !rendered.includes(strip(text))) {
    throw new RequestFault('continue_final_message is set but the final message does not appear in the chat after applying the chat template! This can happen if the chat template deletes portions of the final message. Please verify the chat template and final message in your chat to ensure they are compatible.');
  }
  const before = rendered.slice(0, place);
  // Where the template trimmed the message, the tag lost its space, and the message its own.
  return rendered.startsWith(TAG, place) ? before : before.slice(0, strippedEnd(before));
}
