import { extendPrompt, type MessagePart, type ModelCall, type PromptNode, type Session, type SessionMessage } from '@turnwright/contracts';

/**
 * The session with every earlier reply in its prompts as it was sampled, not as the harness sent it back.
 *
 * Claude Code, for one, puts `"replace_all": false` in front of an Edit's arguments, so that no later prompt continues the call; with the
 * sampled form the calls join into fewer rows, whose prompts the server never saw in quite that form.
 */
export function asSampled(session: Session): Session {
  const replies = new Map(session.calls.map((call) => [call.id, call]));
  const nodes = new Map<PromptNode, PromptNode>();
  const calls = session.calls.map((call) => ({ ...call, prompt: { ...call.prompt, head: rewrite(call.prompt.head, replies, nodes) } }));
  return { ...session, calls };
}

/** Rewrites a path once per node, so that prompts go on sharing their prefixes. */
function rewrite(head: PromptNode | undefined, replies: ReadonlyMap<string, ModelCall>, done: Map<PromptNode, PromptNode>): PromptNode | undefined {
  const path: PromptNode[] = [];
  let node = head;
  for (; node !== undefined && !done.has(node); node = node.parent) path.push(node);
  let parent = node === undefined ? undefined : done.get(node);
  for (const next of path.reverse()) {
    parent = extendPrompt(parent, sampledForm(next.message, replies));
    done.set(next, parent);
  }
  return parent;
}

function sampledForm(message: SessionMessage, replies: ReadonlyMap<string, ModelCall>): SessionMessage {
  const reply = message.callId === undefined ? undefined : replies.get(message.callId);
  if (message.role !== 'assistant' || reply === undefined || !sameShape(message.parts, reply.sampled)) return message;
  return { ...message, parts: reply.sampled };
}

/** The harness may have sent only a part of the reply back, which then is what the model saw. */
function sameShape(sent: readonly MessagePart[], sampled: readonly MessagePart[]): boolean {
  return sent.length === sampled.length && sent.every((part, index) => part.kind === sampled[index]?.kind);
}
