import type { ContextOperation, Diagnostic, MessagePart, ModelCall, Session, SourceFile, SourcePosition } from '@turnwright/contracts';
import type { AgentLinks } from './agents.js';
import { linkAgents } from './agents.js';
import type { RecordContent } from './content.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { EndMarks } from './finish.js';
import { endMarks, finishReasonOf } from './finish.js';
import type { Contents } from './load.js';
import { neededEntries } from './needed.js';
import type { ResultIndex } from './paths.js';
import { PromptBuilder } from './prompt-builder.js';
import type { PromptState } from './prompt-state.js';
import type { Reply, ReplyIndex } from './replies.js';
import { firstLine } from './replies.js';
import type { ExactPrompts } from './exact-prompts.js';
import { loadExactPrompts } from './exact-prompts.js';

/** A file with its tree. */
export interface LinkedFile {
  readonly source: SourceFile;
  readonly contents: Contents;
  readonly file: FileIndex;
  readonly replies: ReplyIndex;
  readonly results: ResultIndex;
}

/** The same in every copy of a reply: resuming, forking and compacting copy records with their message ids. */
export function identityOf(reply: Reply): string {
  const first = firstLine(reply);
  return `claude-code:${first.messageId ?? first.requestId ?? first.uuid ?? `${first.sessionId}:${first.byteOffset}`}`;
}

/** Loads one session of a linked file and turns it into calls. */
export async function buildSession(linked: LinkedFile, id: string, own: readonly Entry[], diagnostics: readonly Diagnostic[], seen: Set<string>): Promise<Session> {
  const { source, file, replies, results } = linked;
  const needed = neededEntries(file, replies, results, own);
  const contents = await linked.contents.of(needed);
  const needReplies = repliesOf(replies, needed);
  const ids = callIds(needReplies, own[0]?.sessionId ?? '', contents, seen);
  const callIdOf = (reply: Reply): string | undefined => ids.calls.get(reply);
  const builder = new PromptBuilder({ file, replies, results, contents, callIdOf });
  const ordered = [...needed].sort((a, b) => a.index - b.index);
  const agents = linkAgents(needReplies, ordered, contents, callIdOf);
  const marks = endMarks(file, replies, own, contents);
  const prompts = new Map(needReplies.map((reply) => [reply, builder.promptOf(reply)]));
  const exact = await loadExactPrompts(source, file, ordered, needReplies, contents, callIdOf);
  const calls = [...ids.calls].map(([reply, callId]) => callOf({ reply, callId, prompt: prompts.get(reply) as PromptState, contents, results, marks, agents, exact, callIdOf, path: file.path }));
  return {
    id, reader: 'claude-code', files: [file.path],
    systemPrompt: exact.systemPrompt, tools: exact.tools,
    calls, operations: operationsOf(builder, callIdOf, agents, calls, file.path),
    diagnostics: [...diagnostics, ...builder.diagnostics, ...ids.diagnostics(file.path), ...surrogateNotes(calls)],
  };
}

/** The replies of some records, by their first line; from the records, since a file may hold thousands of sessions. */
function repliesOf(index: ReplyIndex, entries: ReadonlySet<Entry>): Reply[] {
  const replies = new Set<Reply>();
  for (const entry of entries) {
    const reply = index.ofEntry.get(entry.index);
    if (reply !== undefined) replies.add(reply);
  }
  return [...replies].sort((a, b) => firstLine(a).index - firstLine(b).index);
}

interface CallIds {
  readonly calls: ReadonlyMap<Reply, string>;
  diagnostics(path: string): Diagnostic[];
}

/** Replies of this session that nobody counted before are its calls; copies are context. */
function callIds(replies: readonly Reply[], sessionId: string, contents: ReadonlyMap<number, RecordContent>, seen: Set<string>): CallIds {
  const calls = new Map<Reply, string>();
  const copied: Reply[] = [];
  const used = new Map<string, number>();
  for (const reply of replies) {
    if (reply.sessionId !== sessionId) continue;
    const first = firstLine(reply);
    const identity = identityOf(reply);
    const empty = reply.lines.every((line) => (contents.get(line.index)?.parts.length ?? 0) === 0);
    if (empty && !reply.lines.some((line) => line.synthetic)) continue;
    if (first.forked || seen.has(identity)) {
      copied.push(reply);
      continue;
    }
    seen.add(identity);
    const name = first.messageId ?? first.requestId ?? first.uuid ?? `line-${first.line}`;
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    calls.set(reply, count === 0 ? name : `${name}#${count + 1}`);
  }
  return {
    calls,
    diagnostics: (path) => {
      const first = copied[0]?.lines[0];
      if (first === undefined) return [];
      return [{ severity: 'info', code: 'copied-replies', message: `Expected replies of this session, found ${copied.length} that were sampled in another one; they are context only.`, file: path, line: first.line, byteOffset: first.byteOffset }];
    },
  };
}

interface CallSources {
  readonly reply: Reply;
  readonly callId: string;
  readonly prompt: PromptState;
  readonly contents: ReadonlyMap<number, RecordContent>;
  readonly results: ResultIndex;
  readonly marks: EndMarks;
  readonly agents: AgentLinks;
  readonly exact: ExactPrompts;
  readonly callIdOf: (reply: Reply) => string | undefined;
  readonly path: string;
}

function callOf(sources: CallSources): ModelCall {
  const { reply, prompt, path } = sources;
  const first = firstLine(reply);
  const sampled = reply.lines.flatMap((line) => sources.contents.get(line.index)?.sampled ?? []);
  const parentId = prompt.continued === undefined || prompt.continued.agent !== reply.agent ? undefined : sources.callIdOf(prompt.continued);
  const agent = reply.agent === '' ? undefined : (sources.agents.get(reply.agent) ?? { id: reply.agent });
  const model = reply.lines.findLast((line) => line.model !== undefined)?.model;
  const usage = reply.lines.findLast((line) => line.usage !== undefined)?.usage;
  const lossReason = lossReasonOf(reply, prompt, sampled);
  return {
    id: sources.callId, identity: identityOf(reply),
    ...(parentId === undefined ? {} : { parentId }),
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    prompt: sources.exact.promptOf(reply) ?? { status: statusOf(prompt), reasons: [...prompt.reasons, 'system-prompt-unknown', 'tools-unknown'], head: prompt.head },
    sampled,
    finishReason: finishReasonOf(reply, sources.results, sources.marks),
    loss: lossReason === undefined,
    ...(lossReason === undefined ? {} : { lossReason }),
    ...(usage === undefined ? {} : { usage }),
    position: positionOf(first, path),
  };
}

function statusOf(prompt: PromptState): ModelCall['prompt']['status'] {
  if (prompt.unknownPrefix || prompt.incomplete) return 'unknown-prefix';
  return prompt.approximate ? 'approximate' : 'reconstructed';
}

function lossReasonOf(reply: Reply, prompt: PromptState, sampled: readonly MessagePart[]): string | undefined {
  if (reply.lines.some((line) => line.synthetic)) return 'synthetic-reply';
  if (reply.retracted) return 'retracted-reply';
  if (reply.damaged) return 'damaged-reply';
  // The stream was cut anywhere, also inside a token.
  if (reply.lines.some((line) => line.aborted)) return 'aborted-reply';
  if (sampled.some((part) => part.exactness === 'damaged')) return 'not-encodable';
  return prompt.incomplete ? 'prompt-incomplete' : undefined;
}

function operationsOf(builder: PromptBuilder, callIdOf: (reply: Reply) => string | undefined, agents: AgentLinks, calls: readonly ModelCall[], path: string): ContextOperation[] {
  const seen = [...builder.operations.values()].map(({ kind, entry, reply, detail }): ContextOperation => {
    const callId = callIdOf(reply);
    return { kind, ...(callId === undefined ? {} : { callId }), detail, position: positionOf(entry, path) };
  });
  const subagents = [...agents.values()].flatMap((agent): ContextOperation[] => {
    const call = calls.find((candidate) => candidate.agent?.id === agent.id);
    return call === undefined ? [] : [{ kind: 'subagent', callId: call.id, detail: `agent ${agent.id}${agent.toolCallId === undefined ? '' : ` started by ${agent.toolCallId}`}`, position: call.position }];
  });
  return [...seen, ...subagents].sort((a, b) => a.position.byteOffset - b.position.byteOffset);
}

function surrogateNotes(calls: readonly ModelCall[]): Diagnostic[] {
  return calls.filter((call) => call.lossReason === 'not-encodable').map((call) => ({ severity: 'warning', code: 'not-encodable', message: 'Expected text, found a lone surrogate; it became U+FFFD and the reply is not trained.', file: call.position.file, line: call.position.line, byteOffset: call.position.byteOffset, callId: call.id }));
}

function positionOf(entry: Entry, file: string): SourcePosition {
  return { file, line: entry.line, byteOffset: entry.byteOffset };
}
