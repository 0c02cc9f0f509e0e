import type { ContextOperation, MessagePart, ModelCall, PromptNode, Session, SessionMessage } from '@turnwright/contracts';

/**
 * A session as one HTML page without scripts or further files: its calls as a tree, what is new in each prompt, what was sampled, what is
 * trained and why not.
 *
 * A call that goes on from the one before stands under it; branches and subagents are moved to the right.
 */
export function sessionPage(session: Session): string {
  const depths = depthsOf(session.calls);
  const byId = new Map(session.calls.map((call) => [call.id, call]));
  const operations = groupByCall(session.operations);
  const calls = session.calls.map((call) => `${(operations.get(call.id) ?? []).map(operationHtml).join('')}${callHtml(call, byId.get(call.parentId ?? ''), depths.get(call.id) ?? 0)}`);
  const trained = session.calls.filter(({ loss }) => loss).length;
  return `<h2>${escape(session.id)}</h2>
<p class="facts">${escape(session.reader)} · ${String(session.calls.length)} calls, ${String(trained)} with loss · system prompt ${session.systemPrompt.status} · tools ${session.tools.status}${session.reward === undefined ? '' : ` · reward ${String(session.reward)}`}</p>
${session.files.map((file) => `<p class="facts">${escape(file)}</p>`).join('')}
${calls.join('\n')}
${(operations.get('') ?? []).map(operationHtml).join('')}
${session.diagnostics.map(({ severity, code, message, line }) => `<p class="diagnostic">${severity} ${escape(code)}${line === undefined ? '' : ` (line ${String(line + 1)})`}: ${escape(message)}</p>`).join('\n')}`;
}

/** The page around sessions. */
export function pageOf(title: string, sessions: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p class="facts">Green is trained, grey is context. <span class="badge loss">loss</span> the reply gets loss, <span class="badge none">no loss</span> it does not, with the reason.</p>
${sessions.join('\n<hr>\n')}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --loss: #2a8a3e; --none: #a33; }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem } h2 { font-size: 1.1rem; margin-bottom: 0 }
.facts, .operation, .diagnostic { opacity: .75; margin: .2rem 0 }
.operation { border-left: 3px solid #c80; padding-left: .6rem }
details { border: 1px solid var(--line); border-radius: 6px; margin: .3rem 0; padding: .3rem .6rem }
summary { cursor: pointer }
.badge { border-radius: 4px; padding: 0 .4em; border: 1px solid var(--line); font-size: .85em; white-space: nowrap }
.loss { color: var(--loss); border-color: currentColor } .none { color: var(--none); border-color: currentColor }
pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; margin: .2rem 0; padding: .3rem .5rem; background: #8881; border-left: 3px solid var(--line) }
pre.trained { border-color: var(--loss) }
.who { font-size: .85em; opacity: .75 }
`;

/** Steps to the right: one more for a branch, and for the first call of another agent. */
function depthsOf(calls: readonly ModelCall[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const continued = new Set<string>();
  const agents = new Map(calls.map(({ id, agent }) => [id, agent?.id]));
  for (const { id, parentId, agent } of calls) {
    const from = parentId ?? agent?.parentCallId;
    const before = from === undefined ? undefined : depths.get(from);
    const goesOn = parentId !== undefined && !continued.has(parentId) && agents.get(parentId) === agent?.id;
    depths.set(id, before === undefined ? 0 : goesOn ? before : before + 1);
    if (parentId !== undefined) continued.add(parentId);
  }
  return depths;
}

function groupByCall(operations: readonly ContextOperation[]): ReadonlyMap<string, readonly ContextOperation[]> {
  const groups = new Map<string, ContextOperation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.callId ?? '');
    if (group === undefined) groups.set(operation.callId ?? '', [operation]);
    else group.push(operation);
  }
  return groups;
}

function operationHtml({ kind, detail }: ContextOperation): string {
  return `<p class="operation">${escape(kind)}: ${escape(detail)}</p>`;
}

function callHtml(call: ModelCall, parent: ModelCall | undefined, depth: number): string {
  const reasons = call.prompt.reasons.length === 0 ? '' : `: ${call.prompt.reasons.join(', ')}`;
  const loss = call.loss ? '<span class="badge loss">loss</span>' : `<span class="badge none">no loss: ${escape(call.lossReason ?? 'unknown')}</span>`;
  const facts = [call.agent === undefined ? 'main' : `agent ${call.agent.id}`, call.model ?? '', call.finishReason, `prompt ${call.prompt.status}${reasons}`, call.tokens === undefined ? '' : 'recorded ids'].filter((fact) => fact !== '');
  const news = newMessages(call.prompt.head, parent);
  return `<details style="margin-left:${String(Math.min(depth, 12) * 1.5)}rem">
<summary><b>${escape(call.id)}</b> ${loss} ${facts.map((fact) => `<span class="badge">${escape(fact)}</span>`).join(' ')} ${escape(preview(call))}</summary>
<p class="facts">${parent === undefined ? '' : `continues ${escape(parent.id)} · `}line ${String(call.position.line + 1)}, byte ${String(call.position.byteOffset)} · ${String(call.prompt.head?.depth ?? 0)} messages${call.usage === undefined ? '' : ` · ${String(call.usage.inputTokens)} tokens in, ${String(call.usage.outputTokens)} out`}</p>
${news.flatMap((message) => message.parts.map((part) => partHtml(part, message.role, false))).join('\n')}
${call.sampled.map((part) => partHtml(part, 'sampled', call.loss && part.author === 'sampled')).join('\n')}
</details>`;
}

const PREVIEW_CODE_POINTS = 80;

function preview({ sampled }: ModelCall): string {
  const words = sampled.map((part) => (part.kind === 'tool-call' ? `${part.name}()` : part.kind === 'text' ? part.text : `(${part.kind})`)).join(' ').replace(/\s+/g, ' ');
  const points = [...words.slice(0, 2 * PREVIEW_CODE_POINTS)];
  return points.length > PREVIEW_CODE_POINTS ? `${points.slice(0, PREVIEW_CODE_POINTS).join('')}…` : words;
}

/** What the prompt has that the parent's prompt and reply have not. Walks no further than where the two paths meet. */
function newMessages(head: PromptNode | undefined, parent: ModelCall | undefined): readonly SessionMessage[] {
  const news: SessionMessage[] = [];
  let [node, before] = [head, parent?.prompt.head];
  while (node !== undefined && node !== before) {
    if (before !== undefined && before.depth > node.depth) before = before.parent;
    else {
      if (before?.depth === node.depth) before = before.parent;
      if (parent === undefined || node.message.callId !== parent.id) news.push(node.message);
      node = node.parent;
    }
  }
  return news.reverse();
}

function partHtml(part: MessagePart, role: string, trained: boolean): string {
  const text = part.kind === 'media' ? `[${part.mediaType}]` : part.kind === 'tool-call' ? `${part.name}(${part.arguments})` : part.text;
  const notes = [part.kind === 'text' ? role : `${role} ${part.kind}`, part.author === role ? '' : part.author, part.exactness === 'bytes' ? '' : part.exactness].filter((note) => note !== '');
  return `<div class="who">${escape(notes.join(' · '))}</div><pre${trained ? ' class="trained"' : ''}>${escape(text)}</pre>`;
}

function escape(text: string): string {
  return text.toWellFormed().replace(/[&<>"'\0]/g, (character) => (character === '\0' ? '␀' : `&#${String(character.charCodeAt(0))};`));
}
