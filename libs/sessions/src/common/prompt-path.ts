import { createHash } from 'node:crypto';
import type { MessagePart, PromptNode, PromptStatus, SessionMessage } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';

/** A prompt while a session is read. A value: branches of a tree continue the same one. */
export interface PromptPath {
  readonly head: PromptNode | undefined;
  /** The call whose reply is the last one on the path. */
  readonly parentId: string | undefined;
  readonly status: PromptStatus;
  readonly reasons: readonly string[];
  /** A record that belongs here is damaged or missing: what follows was sampled from a prompt that nobody knows. */
  readonly incomplete: boolean;
  /** Hash of all messages, the same wherever the conversation was copied to. */
  readonly fingerprint: string;
}

/** A prompt without messages. */
export function emptyPath(status: PromptStatus = 'reconstructed', reasons: readonly string[] = []): PromptPath {
  return { head: undefined, parentId: undefined, status, reasons, incomplete: false, fingerprint: '' };
}

/** The path with one more message; a message without parts adds nothing. */
export function say(path: PromptPath, added: SessionMessage): PromptPath {
  if (added.parts.length === 0) return path;
  return { ...path, head: extendPrompt(path.head, added), fingerprint: nextFingerprint(path.fingerprint, added) };
}

/** The path with one more message for each. */
export function sayAll(path: PromptPath, added: readonly SessionMessage[]): PromptPath {
  return added.reduce(say, path);
}

const RANK: Readonly<Record<PromptStatus, number>> = { exact: 0, reconstructed: 1, approximate: 2, 'unknown-prefix': 3 };

/** The path with a reason why it is less well known; a status only ever gets worse. */
export function weaken(path: PromptPath, status: PromptStatus, reason: string): PromptPath {
  const reasons = path.reasons.includes(reason) ? path.reasons : [...path.reasons, reason];
  return { ...path, reasons, status: RANK[status] > RANK[path.status] ? status : path.status };
}

/** The path behind a record that is lost: calls after it cannot be trained. */
export function breakPath(path: PromptPath, reason: string): PromptPath {
  return { ...weaken(path, 'unknown-prefix', reason), incomplete: true };
}

/** The hash of a path that is continued by a message. */
export function nextFingerprint(fingerprint: string, added: SessionMessage): string {
  return createHash('sha256').update(fingerprint).update(added.role).update(contentKey(added.parts)).digest('hex');
}

/** What parts say, without who said it: a copy has another author. */
export function contentKey(parts: readonly MessagePart[]): string {
  return JSON.stringify(parts.map((part) => [part.kind, part.kind === 'tool-call' ? [part.name, part.arguments] : part.kind === 'media' ? part.mediaType : part.text]));
}
