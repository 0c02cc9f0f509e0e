import { extendPrompt, type Diagnostic, type MessagePart, type ModelCall, type PromptNode, type Session, type SourcePosition, type ToolDefinition } from '@turnwright/contracts';
import { redactJson, redactText } from './rules.js';

/**
 * The session without secrets, for what is rendered, trained and written of it.
 *
 * It is done before anything is tokenized, so that masks are those of the text as it is then. Recorded ids spell the secret: a call in
 * whose prompt or reply something was found loses them, and is rendered.
 */
export function redactSession(session: Session): Session {
  const nodes = new Map<PromptNode, Redacted>();
  const context = contextOf(session);
  return {
    ...session,
    id: redactText(session.id),
    files: session.files.map(redactText),
    systemPrompt: context.systemPrompt,
    tools: context.tools,
    calls: session.calls.map((call) => redactCall(call, nodes, context.found)),
    operations: session.operations.map((operation) => ({ ...operation, detail: redactText(operation.detail), position: redactPosition(operation.position) })),
    diagnostics: session.diagnostics.map(redactDiagnostic),
  };
}

export function redactDiagnostic(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: redactText(diagnostic.message), ...(diagnostic.file === undefined ? {} : { file: redactText(diagnostic.file) }) };
}

interface Redacted {
  readonly node: PromptNode | undefined;
  /** Whether something was found on the path. */
  readonly found: boolean;
}

function contextOf({ systemPrompt, tools }: Session): { readonly systemPrompt: Session['systemPrompt']; readonly tools: Session['tools']; readonly found: boolean } {
  const system = systemPrompt.status === 'unknown' ? systemPrompt : { ...systemPrompt, value: redactText(systemPrompt.value) };
  const redacted = tools.status === 'unknown' ? tools : { ...tools, value: tools.value.map(redactTool) };
  const found = (system.status !== 'unknown' && systemPrompt.status !== 'unknown' && system.value !== systemPrompt.value) || (tools.status !== 'unknown' && JSON.stringify(redacted) !== JSON.stringify(tools));
  return { systemPrompt: system, tools: redacted, found };
}

function redactTool(tool: ToolDefinition): ToolDefinition {
  const json = JSON.stringify(tool);
  const redacted = redactJson(json);
  return redacted === json ? tool : JSON.parse(redacted) as ToolDefinition;
}

function redactCall(call: ModelCall, nodes: Map<PromptNode, Redacted>, contextFound: boolean): ModelCall {
  const { node: head, found } = redactPath(call.prompt.head, nodes);
  const sampled = redactParts(call.sampled);
  const changed = contextFound || found || sampled !== call.sampled;
  const { tokens, ...rest } = call;
  return { ...rest, prompt: { ...call.prompt, head }, sampled, position: redactPosition(call.position), ...(tokens === undefined || changed ? {} : { tokens }) };
}

/** Rewrites a path once per node, so that prompts go on sharing their prefixes. */
function redactPath(head: PromptNode | undefined, done: Map<PromptNode, Redacted>): Redacted {
  const path: PromptNode[] = [];
  let node = head;
  for (; node !== undefined && !done.has(node); node = node.parent) path.push(node);
  let redacted = (node === undefined ? undefined : done.get(node)) ?? { node: undefined, found: false };
  for (const next of path.reverse()) {
    const parts = redactParts(next.message.parts);
    const kept = parts === next.message.parts && redacted.node === next.parent;
    redacted = { node: kept ? next : extendPrompt(redacted.node, { ...next.message, parts }), found: redacted.found || parts !== next.message.parts };
    done.set(next, redacted);
  }
  return redacted;
}

/** The same list when nothing was found. */
function redactParts(parts: readonly MessagePart[]): readonly MessagePart[] {
  const redacted = parts.map(redactPart);
  return redacted.every((part, index) => part === parts[index]) ? parts : redacted;
}

/** What stands in for a secret was not sampled letter by letter, so that the part is no longer exact. */
function redactPart(part: MessagePart): MessagePart {
  if (part.kind === 'media') return part;
  const before = part.kind === 'tool-call' ? part.arguments : part.text;
  const after = part.kind === 'tool-call' ? redactJson(before) : redactText(before);
  if (after === before) return part;
  const exactness = part.exactness === 'bytes' ? 're-rendered' : part.exactness;
  return part.kind === 'tool-call' ? { ...part, exactness, arguments: after } : { ...part, exactness, text: after };
}

function redactPosition(position: SourcePosition): SourcePosition {
  return { ...position, file: redactText(position.file) };
}
