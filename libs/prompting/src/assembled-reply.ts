import { AgentError, type CallToWrite, type ExclusionReason, type MessagePart, type ReasoningFormat, type ToolDefinition } from '@turnwright/contracts';
import type { RenderRequest } from './marked-template.js';
import { concatenate, cut, DataText, textOf } from './python/data-text.js';
import type { Str } from './python/values.js';
import { cutByParts, exclusionOf, holdsCall, type LayoutPiece } from './reply-layout.js';
import { CONTENT_MARK, REASONING_MARK, showReply, type ShownReply } from './shown-reply.js';
import { assistantMessage, callParts, isWithheld, REASONING_JOINT, reasoningParts, TEXT_JOINT, textParts } from './template-messages.js';

/** How a model writes what its chat template does not show. */
export interface ReplyFormat {
  readonly reasoning: ReasoningFormat;
  /** throws AgentError `cannot-express` */
  writeCalls(calls: readonly CallToWrite[]): string;
  /** Whether the model's server would read these calls, and no others, in its output. */
  reads(output: string, calls: readonly CallToWrite[]): boolean;
}

/** What a reply is assembled with. */
export interface Assembly {
  readonly render: RenderRequest;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly tools: readonly ToolDefinition[] | undefined;
  readonly template: { readonly text: string; readonly endOfTurn: string; readonly endOfCalls?: string };
  readonly format: ReplyFormat | undefined;
  /** Whether the model's server would read the reply's calls in its output. */
  readonly reads: (output: string) => boolean;
  /** Control tokens, which a written call must not hold as text, since nothing would tell them from structure. */
  readonly control: ReadonlySet<string>;
  /** The prompt's end, which tells whether it has opened or closed the thought. */
  readonly prompt: string;
}

export interface AssembledReply {
  readonly output: Str;
  /** Tile the output. */
  readonly pieces: readonly LayoutPiece[];
  /** A thought for which the template and its model have no place. */
  readonly unrendered?: string;
}

interface Missing {
  readonly missing: string;
}

/**
 * The reply as the template shows it right after a question, with its own texts put in as they were sampled.
 *
 * Templates are made to show history: they drop earlier thoughts, trim, regroup, close a turn only when the next one begins. What stands
 * after the generation prompt of a first question is nearest to what the model was taught to write; a later rendering that differs opens a
 * row of its own. Templates that show text behind calls, or no text beside calls, get the text before them, as it was sampled; calls that
 * a template never shows are written as the model's format writes them.
 */
export function assembleReply(parts: readonly MessagePart[], assembly: Assembly): AssembledReply | Missing {
  const contents = contentsOf(parts);
  const readsBack = ({ output }: AssembledReply): boolean => contents.calls.length === 0 || assembly.reads(textOf(output));
  const [first, ...others] = contents.calls.length === 0 ? MANNERS.slice(0, 1) : MANNERS;
  const wanted = assembleShown(contents, first ?? MANNERS[0], assembly);
  if (!('missing' in wanted) && readsBack(wanted)) return wanted;
  let next: AssembledReply | undefined;
  for (const manner of others) {
    const assembled = assembleShown(contents, manner, assembly);
    if ('missing' in assembled) continue;
    if (readsBack(assembled)) return assembled;
    next ??= assembled;
  }
  return 'missing' in wanted ? next ?? wanted : wanted;
}

interface Contents {
  readonly parts: readonly MessagePart[];
  readonly thought: string;
  readonly text: string;
  readonly calls: ReturnType<typeof callParts>;
}

function contentsOf(parts: readonly MessagePart[]): Contents {
  return { parts, thought: reasoningParts(parts).map((part) => part.text).join(REASONING_JOINT), text: textParts(parts).map((part) => part.text).join(TEXT_JOINT), calls: callParts(parts) };
}

interface Manner {
  readonly text: 'shown' | 'inserted';
  readonly calls: 'shown' | 'written';
}

/** From what the template shows to what it does not. */
const MANNERS = [{ text: 'shown', calls: 'shown' }, { text: 'inserted', calls: 'shown' }, { text: 'shown', calls: 'written' }] as const satisfies readonly Manner[];

function assembleShown(contents: Contents, manner: Manner, assembly: Assembly): AssembledReply | Missing {
  if (manner.text === 'inserted' && contents.text === '') return { missing: 'the text' };
  const written = manner.calls === 'written' ? writeCalls(contents, assembly) : '';
  if (written === undefined) return { missing: `the call of "${contents.calls[0]?.name ?? ''}"` };
  const reply = assistantMessage(manner.calls === 'written' ? contents.parts.filter(({ kind }) => kind !== 'tool-call') : contents.parts);
  const shown = showReply({ ...reply, content: contents.text === '' || manner.text === 'inserted' ? '' : CONTENT_MARK, reasoning_content: contents.thought === '' ? '' : REASONING_MARK }, assembly);
  if (shown === undefined) return { missing: 'the beginning' };
  const frame = findFrame(shown, contents, manner, assembly);
  if ('missing' in frame) return frame;
  const opening = openThought(frame, contents, assembly);
  return 'missing' in opening ? opening : fill({ frame, contents, opening, manner, written }, assembly);
}

function writeCalls({ calls }: Contents, { format, control, template }: Assembly): string | undefined {
  if (calls.some((call) => [...control].some((token) => call.arguments.includes(token)))) return undefined;
  try {
    return withoutEnd(format?.writeCalls(calls), endOfCalls(template));
  } catch (error) {
    if (error instanceof AgentError && error.code === 'cannot-express') return undefined;
    throw error;
  }
}

/** Some formats count the end of turn as a call's closer; a second call behind it is never sampled. */
function withoutEnd(written: string | undefined, end: string): string | undefined {
  const at = written === undefined || end === '' ? -1 : written.indexOf(end);
  if (written === undefined || at < 0) return written;
  return at + end.length === written.trimEnd().length ? written.slice(0, at) : undefined;
}

/** Where the placeholders and the end stand in what the template shows; -1 for what it does not. */
interface Frame {
  readonly shown: Str;
  readonly continues: boolean;
  readonly thoughtAt: number;
  readonly textAt: number;
  readonly end: number;
}

function findFrame({ text: shown, continues }: ShownReply, { thought, text, calls }: Contents, manner: Manner, { template }: Assembly): Frame | Missing {
  const whole = textOf(shown);
  const thoughtAt = thought === '' ? -1 : whole.indexOf(REASONING_MARK);
  const textAt = text === '' || manner.text === 'inserted' ? -1 : whole.indexOf(CONTENT_MARK);
  if (text !== '' && manner.text === 'shown' && textAt <= thoughtAt) return { missing: 'the text' };
  const last = Math.max(thoughtAt, textAt);
  const marker = manner.calls === 'shown' && calls.length > 0 ? endOfCalls(template) : template.endOfTurn;
  const found = marker === '' ? -1 : whole.lastIndexOf(marker);
  const end = found > last ? found : whole.trimEnd().length;
  const body = whole.slice(last + 1, end);
  const lost = manner.calls === 'shown' ? calls.find((part) => !holdsCall(body, part)) : undefined;
  return lost === undefined ? { shown, continues, thoughtAt, textAt, end } : { missing: `the call of "${lost.name}"` };
}

function endOfCalls({ endOfTurn, endOfCalls: ownEnd = endOfTurn }: Assembly['template']): string {
  return ownEnd;
}

/** What stands around a thought, where the template does not say it. */
interface Opening {
  readonly before: string;
  readonly after: string;
  /** The thought has no place. */
  readonly none?: true;
}

/** The thought in the model's own markers, unless the template shows them; none when the model is not known to have any. */
function openThought({ continues, thoughtAt }: Frame, { thought }: Contents, { format, prompt, template }: Assembly): Opening | Missing {
  if (thought === '' || (thoughtAt >= 0 && continues)) return { before: '', after: '' };
  const { open: [open], close: [close], padding: [inside, before, after] } = format?.reasoning ?? { open: [], close: [], padding: ['', '', ''] as const };
  if (open === undefined || close === undefined || !template.text.includes(close.text.trim())) return thoughtAt >= 0 ? { missing: 'the beginning' } : { before: '', after: '', none: true };
  if (prompt.trimEnd().endsWith(close.text.trim())) return { missing: 'the reasoning, which the prompt ends before it begins (thinking is off),' };
  return { before: opensThought(prompt, format) ? '' : `${open.text}${inside}`, after: thoughtAt >= 0 ? '' : `${before}${close.text}${after}` };
}

function opensThought(prompt: string, format: ReplyFormat | undefined): boolean {
  return format?.reasoning.open.some((marker) => prompt.trimEnd().endsWith(marker.text.trim())) ?? false;
}

interface Filling {
  readonly frame: Frame;
  readonly contents: Contents;
  readonly opening: Opening;
  readonly manner: Manner;
  readonly written: string;
}

class ReplyBuilder {
  readonly pieces: LayoutPiece[] = [];
  private readonly output: Str[] = [];

  get whole(): Str {
    return concatenate(...this.output);
  }

  put(value: Str, piece: Omit<LayoutPiece, 'text'>): void {
    if (textOf(value) === '') return;
    this.output.push(value);
    this.pieces.push({ ...piece, text: textOf(value) });
  }

  putParts(kind: 'reasoning' | 'text', value: string, parts: readonly (MessagePart & { readonly text: string })[], joint: string): void {
    this.output.push(new DataText(value));
    this.pieces.push(...cutByParts(kind, value, 0, parts.map((part, index) => ({ length: part.text.length + (index === 0 ? 0 : joint.length), excluded: exclusionOf(part) }))));
  }
}

function fill({ frame, contents, opening, manner, written }: Filling, assembly: Assembly): AssembledReply {
  const { template, format, prompt } = assembly;
  const { shown, thoughtAt, textAt, end } = frame;
  const { parts, thought, text, calls } = contents;
  const builder = new ReplyBuilder();
  const ofThought = { kind: 'reasoning' as const, ...firstExclusion(reasoningParts(parts)) };
  let cursor = 0;
  if (thoughtAt >= 0) builder.put(cut(shown, 0, thoughtAt), ofThought);
  if (thought !== '' && opening.none !== true) {
    builder.put(opening.before, ofThought);
    builder.putParts('reasoning', thought, reasoningParts(parts), REASONING_JOINT);
    builder.put(opening.after, ofThought);
  }
  if (thoughtAt >= 0) {
    cursor = thoughtAt + REASONING_MARK.length;
    const close = closerEnd(textOf(shown), cursor, textAt >= 0 ? textAt : end, format?.reasoning);
    builder.put(cut(shown, cursor, close), ofThought);
    cursor = close;
  }
  const lead = textAt >= 0 ? textAt : calls.length > 0 && manner.calls === 'shown' ? cursor : end;
  const leading = cut(shown, cursor, lead);
  // An empty thought before a reply without one is the template's; where the prompt opened it, the model closed it.
  if (!isEmptyThought(textOf(leading), contents, assembly)) builder.put(leading, { kind: thought === '' && opensThought(prompt, format) ? 'reasoning' : 'text', ...(parts.some(isWithheld) ? { excluded: 'reasoning-withheld' } : {}) });
  cursor = lead;
  if (text !== '') builder.putParts('text', text, textParts(parts), TEXT_JOINT);
  if (textAt >= 0) cursor = textAt + CONTENT_MARK.length;
  const ofCalls = { kind: 'call' as const, ...firstExclusion(calls) };
  if (text !== '' && calls.length > 0 && (manner.text === 'inserted' || manner.calls === 'written')) builder.put('\n', ofCalls);
  builder.put(cut(shown, cursor, end), manner.calls === 'shown' && calls.length > 0 ? ofCalls : { kind: 'text' });
  builder.put(written, ofCalls);
  builder.put(calls.length > 0 ? endOfCalls(template) : template.endOfTurn, { kind: 'end-of-turn' });
  return { output: builder.whole, pieces: builder.pieces, ...(opening.none === true ? { unrendered: thought } : {}) };
}

/** Behind the closer of a thought and its white space; what follows belongs to the answer. */
function closerEnd(shown: string, from: number, until: number, reasoning: ReasoningFormat | undefined): number {
  const between = shown.slice(from, until);
  const closer = reasoning?.close.map((marker) => marker.text).find((marker) => between.includes(marker));
  const end = closer === undefined ? 0 : between.indexOf(closer) + closer.length;
  return from + end + (/^\s*/.exec(between.slice(end))?.[0].length ?? 0);
}

/** What the template writes before a reply without a thought begins as a thought does, which no prompt opened. */
function isEmptyThought(leading: string, { thought }: Contents, assembly: Assembly): boolean {
  if (thought !== '' || leading.trim() === '') return false;
  const shown = showReply({ role: 'assistant', content: CONTENT_MARK, reasoning_content: REASONING_MARK }, assembly);
  const opener = shown?.continues === true ? textOf(shown.text).slice(0, Math.max(textOf(shown.text).indexOf(REASONING_MARK), 0)).trim() : '';
  return opener !== '' && leading.trimStart().startsWith(opener);
}

function firstExclusion(parts: readonly MessagePart[]): { readonly excluded?: ExclusionReason } {
  const excluded = parts.map(exclusionOf).find((reason) => reason !== undefined);
  return excluded === undefined ? {} : { excluded };
}
