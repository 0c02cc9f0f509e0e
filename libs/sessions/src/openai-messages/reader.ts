import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Diagnostic, Known, ModelCall, PromptNode, ReadContext, Session, SessionMessage, SessionReader, SourceFile } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';
import { sniffHead } from '../common/sniff.js';
import { rawItems } from '../common/document.js';
import { isObject } from '../json-lines/records.js';
import { messageOf } from './message.js';
import type { Row } from './rows.js';
import { readRows } from './rows.js';
import { toolsOf } from './tools.js';

/** Reads chat-completion conversations: a row is a session, an assistant message is a call. */
export const messagesReader: SessionReader = {
  name: 'messages',
  description: 'OpenAI-style messages and ShareGPT: JSON lines of {"messages": […], "tools": […]}, one such document, or a bare list of messages',
  detect: (head) => detectMessages(head),
  read: readMessages,
};

function detectMessages(head: Uint8Array): number {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8').replace(/^\uFEFF/, '').trimStart();
  const { firstItem } = sniffHead(head);
  if (firstItem !== undefined && 'role' in firstItem && 'content' in firstItem) return 0.6;
  if (/^\[\s*\{/.test(text) && /"(?:role|from)"\s*:/.test(text.slice(0, 4096))) return 0.6;
  if (!text.startsWith('{')) return 0;
  if (/^\{\s*"messages"\s*:\s*("?\[)/.test(text)) return 0.8;
  if (/"conversations?"\s*:\s*"?\[\s*\{/.test(text) && /\\?"(?:from|role)\\?"\s*:/.test(text)) return 0.7;
  return /"(messages|trajectory)"\s*:\s*"?\[\s*\{/.test(text) && /\\?"role\\?"\s*:/.test(text) ? 0.5 : 0;
}

async function* readMessages(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const name = (source.path.split(/[\\/]/).at(-1) ?? source.path).replace(/\.jsonl?$/, '');
  let faults: Diagnostic[] = [];
  for await (const item of readRows(source)) {
    context.signal?.throwIfAborted();
    if ('fault' in item) {
      faults.push(item.fault);
    } else {
      yield sessionOf(item.row, name, source.path, faults, context.seenReplies);
      faults = [];
    }
  }
  if (faults.length > 0) yield { ...emptySession(name, source.path), diagnostics: faults };
}

function sessionOf(row: Row, name: string, path: string, faults: readonly Diagnostic[], seen: Set<string>): Session {
  const tools = toolsOf(row.value, row.json);
  const diagnostics = [...faults];
  const calls: ModelCall[] = [];
  const identity = createHash('sha256');
  let head: PromptNode | undefined;
  const raws = rawItems(row.messagesJson, []);
  for (const [index, value] of row.messages.entries()) {
    const message = messageOf(value, `[${raws[index]?.json ?? ''}]`, 0);
    if (message === undefined) {
      diagnostics.push({ severity: 'warning', code: 'bad-message', message: `Expected a message with a known role, found message ${index} without one; it was skipped.`, file: path, line: row.line, byteOffset: row.byteOffset });
      continue;
    }
    identity.update(JSON.stringify(message));
    if (message.role !== 'assistant') {
      head = extendPrompt(head, message);
      continue;
    }
    const call = callOf(row, value, message, index, calls.at(-1), head, tools, `messages:${identity.copy().digest('hex')}`, path);
    // The same conversation in two rows or files is one conversation: what it samples trains once.
    const copied = seen.has(call.identity);
    seen.add(call.identity);
    calls.push(copied ? { ...call, loss: false, lossReason: 'copied-reply' } : call);
    head = extendPrompt(head, { ...message, callId: call.id });
  }
  return { ...emptySession(sessionId(row, name), path), systemPrompt: systemPromptOf(row), tools, calls, diagnostics, ...rewardOf(row) };
}

function callOf(row: Row, value: unknown, message: SessionMessage, index: number, before: ModelCall | undefined, head: PromptNode | undefined, tools: Session['tools'], identity: string, path: string): ModelCall {
  const weight = weightOf(value);
  const lossReason = weight === 0 ? 'weight-zero' : message.parts.some((part) => part.exactness === 'damaged' || (!row.validUtf8 && 'text' in part && part.text.includes('\uFFFD'))) ? 'not-encodable' : message.parts.length === 0 ? 'empty-reply' : undefined;
  return {
    id: `m${index}`,
    identity,
    ...(before === undefined ? {} : { parentId: before.id }),
    ...(typeof row.value['model'] === 'string' ? { model: row.value['model'] } : {}),
    // The row is the request; what may be missing is a list of tools that it does not have.
    prompt: tools.status === 'unknown' ? { status: 'reconstructed', reasons: ['tools-unknown'], head } : { status: 'exact', reasons: [], head },
    sampled: message.parts,
    // The format only holds finished messages: one with calls ended with them, any other ended its turn.
    finishReason: message.parts.some((part) => part.kind === 'tool-call') ? 'tool-calls' : 'stop',
    loss: lossReason === undefined,
    ...(lossReason === undefined ? {} : { lossReason }),
    ...(weight === undefined || weight === 0 ? {} : { weight }),
    position: { file: path, line: row.line, byteOffset: row.byteOffset },
  };
}

/** OpenAI has `weight`, LLaMA-Factory `loss_weight`, ShareGPT-like sets `loss` with null or false for no. */
function weightOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  if (value['loss'] === null || value['loss'] === false) return 0;
  for (const key of ['weight', 'loss_weight', 'loss']) {
    const weight = value[key];
    if (typeof weight === 'number' && Number.isFinite(weight) && weight >= 0) return weight;
  }
  return undefined;
}

function sessionId(row: Row, name: string): string {
  const id = ['id', 'trajectory_id', 'session_id', 'instance_id', 'custom_id'].map((key) => row.value[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof id === 'string' ? `${id}#${row.ordinal}` : `${name}#${row.ordinal}`;
}

function systemPromptOf(row: Row): Known<string> {
  const first = messageOf(row.messages[0], row.messagesJson, 0);
  const texts = first?.role === 'system' ? first.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])) : [];
  return { status: 'known', value: texts.join('\n') };
}

function rewardOf(row: Row): { reward?: number } {
  for (const key of ['reward', 'score', 'resolved']) {
    const value = row.value[key];
    if (typeof value === 'number' && Number.isFinite(value)) return { reward: value };
    if (typeof value === 'boolean') return { reward: value ? 1 : 0 };
  }
  return {};
}

function emptySession(id: string, path: string): Session {
  return { id, reader: 'messages', files: [path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [], diagnostics: [] };
}
