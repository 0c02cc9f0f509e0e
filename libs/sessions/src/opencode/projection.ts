import type { MessagePart, SessionMessage } from '@turnwright/contracts';
import { callPart, mediaPart, message, rawJson, resultPart, textPart, withheldReasoning } from '../common/parts.js';
import { count, objectAt, text } from '../common/values.js';
import type { StoredMessage, StoredPart } from './stored-session.js';

/** The parts of one request of an assistant message, with what the server said of it. */
export interface Step {
  readonly parts: readonly StoredPart[];
  readonly finish: StoredPart | undefined;
}

/** An assistant message holds a step for each request; without marks it is one. */
export function stepsOf(stored: StoredMessage): Step[] {
  const steps: { parts: StoredPart[]; finish: StoredPart | undefined }[] = [];
  let open: { parts: StoredPart[]; finish: StoredPart | undefined } | undefined;
  for (const part of stored.parts) {
    if (part.value['type'] === 'step-start' || open === undefined) {
      if (open?.parts.length === 0 && open.finish === undefined) steps.pop();
      open = { parts: [], finish: undefined };
      steps.push(open);
    }
    if (part.value['type'] === 'step-finish') {
      open.finish = part;
      open = undefined;
    } else if (SAMPLED.has(String(part.value['type']))) open.parts.push(part);
  }
  return steps.filter((step) => step.parts.length > 0);
}

const SAMPLED: ReadonlySet<string> = new Set(['text', 'reasoning', 'tool']);

/** What a step sampled, in order. */
export function sampledParts(step: Step): MessagePart[] {
  return step.parts.flatMap(({ value, json, validUtf8 }): MessagePart[] => {
    switch (value['type']) {
      case 'text':
        return typeof value['text'] === 'string' && value['text'] !== '' && value['synthetic'] !== true ? [textPart(value['text'], 'sampled', { validUtf8 })] : [];
      case 'reasoning':
        return typeof value['text'] === 'string' && value['text'] !== '' ? [textPart(value['text'], 'sampled', { kind: 'reasoning', validUtf8 })] : [withheldReasoning()];
      default:
        return [toolPart({ value, json, validUtf8 })];
    }
  });
}

/** A call to a tool that does not exist is stored as one of `invalid`, with the name that was sampled. */
function toolPart({ value, json, validUtf8 }: Pick<StoredPart, 'value' | 'json' | 'validUtf8'>): MessagePart {
  const state = objectAt(value, 'state');
  const input = objectAt(state, 'input');
  const id = text(value['callID']);
  const name = text(value['tool']) ?? '';
  if (name === 'invalid' && typeof input['tool'] === 'string') return { kind: 'tool-call', ...(id === undefined ? {} : { id }), name: input['tool'], arguments: '{}', author: 'sampled', exactness: 'damaged' };
  // A call that was cut while its arguments were streamed has only their text.
  const raw = text(state['raw']);
  if (raw !== undefined && Object.keys(input).length === 0) return { ...callPart(id, name, '', [], raw, validUtf8), exactness: 'damaged' };
  return callPart(id, name, json, ['state', 'input'], state['input'], validUtf8);
}

/** The results of a step's calls, as a request at `time` held them. */
export function resultMessages(step: Step, time: number): SessionMessage[] {
  return step.parts.flatMap(({ value, json }): SessionMessage[] => {
    if (value['type'] !== 'tool') return [];
    const state = objectAt(value, 'state');
    const id = text(value['callID']);
    if (isCleared(value, time)) return [message('tool', { ...resultPart(id, '[Old tool result content cleared]'), author: 'harness' })];
    switch (state['status']) {
      case 'pending':
      case 'running':
        return [message('tool', { ...resultPart(id, '[Tool execution was interrupted]', { failed: true }), author: 'harness' })];
      case 'error':
        return [message('tool', resultPart(id, text(state['error']) ?? '', { failed: true }))];
      default:
        return [message('tool', resultPart(id, typeof state['output'] === 'string' ? state['output'] : (rawJson(json, ['state', 'output']) ?? ''), { exactness: typeof state['output'] === 'string' ? 'bytes' : 're-rendered' }))];
    }
  });
}

/** True when the output of a call was taken out of requests before `time`. */
export function isCleared(part: StoredPart['value'], time: number): boolean {
  const cleared = count(objectAt(objectAt(part, 'state'), 'time')['compacted']);
  return cleared !== undefined && cleared <= time;
}

/** What a message of the user puts before the model. */
export function userMessage(stored: StoredMessage): { readonly message: SessionMessage; readonly rewritten: boolean } {
  const parts: MessagePart[] = [];
  let rewritten = false;
  for (const { value } of stored.parts) {
    switch (value['type']) {
      case 'text':
        if (typeof value['text'] === 'string' && value['text'] !== '' && value['ignored'] !== true) parts.push(textPart(value['text'], value['synthetic'] === true ? 'harness' : 'user'));
        break;
      case 'file':
        // Text files and folders are sent as text parts of their own.
        if (!/^text\/|directory/.test(text(value['mime']) ?? '')) parts.push(mediaPart(text(value['mime']) ?? 'application/octet-stream', 'user'));
        break;
      case 'compaction':
        parts.push(textPart('What did we do so far?', 'harness', { exactness: 're-rendered' }));
        break;
      case 'subtask':
        rewritten = true;
        break;
      default:
    }
  }
  return { message: { role: 'user', parts }, rewritten };
}
