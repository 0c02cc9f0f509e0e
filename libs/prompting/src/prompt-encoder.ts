import type { ChatTemplate, EncodeContext, EncodedCall, ModelCall, PromptEncoder, RecordedTokens, Tokenizer } from '@turnwright/contracts';
import { createSplitter } from './added-tokens.js';
import { assembleReply, type AssembledReply, type ReplyFormat } from './assembled-reply.js';
import { controlTokens } from './control-text.js';
import { knownAddedTokens } from './known-added-tokens.js';
import { createPromptRenderer, orRenderFailure, type Refusal, type RenderedCall } from './prompt-renderer.js';
import { createRequestRenderer } from './marked-template.js';
import type { Rendering } from './jinja/rendering.js';
import { onFirstUse } from './once.js';
import { cut, textOf } from './python/data-text.js';
import type { Str } from './python/values.js';
import { exclusionOf, layOutReply, type LayoutPiece, type ReplyMarkup } from './reply-layout.js';
import { createReplyMarkup } from './reply-markup.js';
import { createSegmentEncoder, type SegmentEncoder } from './segment-encoder.js';
import { createStretchEncoder } from './stretch-encoder.js';
import { callParts, createMessageConverter, inTemplateOrder, isWithheld, type MessageConverter } from './template-messages.js';
import { generationPrompt } from './template-probe.js';
import { createTextAnalyser } from './text-analysis.js';
import { spanTokens, type ByteRun } from './token-spans.js';

export interface PromptEncoderOptions {
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  /** The server's, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Whether an added token's text that was typed in content is text, or the token, as Python servers have it. */
  readonly controlText: 'text' | 'structure';
  /** How the model writes thoughts and calls, for templates that do not show them. */
  readonly format?: ReplyFormat;
}

/**
 * Turns the calls of one session into tokens.
 *
 * The prompt is what the template makes of the messages that the call saw; the output is what it makes of the reply, without
 * what no model samples: an empty think block, and whatever follows the end-of-turn token. `promptIds` of a session are views of one
 * buffer that grows, so that a call costs its new tokens: read them, change none, and do not transfer them.
 */
export function createPromptEncoder(options: PromptEncoderOptions): PromptEncoder {
  const { tokenizer, template, variables = {}, controlText, format } = options;
  const addedTokens = knownAddedTokens(tokenizer);
  const control = controlTokens(addedTokens, tokenizer.specialTokens === undefined ? undefined : new Set(tokenizer.specialTokens), template.text);
  const marking = controlText === 'text' ? 'marked' : 'plain';
  const convert = createMessageConverter();
  const render = createPromptRenderer({ convert, render: createRequestRenderer(template, control, marking), variables, analyser: createTextAnalyser(control) });
  // Of its own, so that the session's rendering remembers the session only.
  const renderAlone = createRequestRenderer(template, control, marking);
  const split = createSplitter(addedTokens, control);
  const encode = createStretchEncoder(tokenizer, addedTokens, split);
  const encodePrompt = createSegmentEncoder(addedTokens, split, encode);
  const opening = onFirstUse(() => generationPrompt(template) ?? '');
  let known: ReplyMarkup | undefined;
  const markup = (): ReplyMarkup => (known ??= createReplyMarkup(template, variables));

  return {
    encodeCall(call, context) {
      const called = callParts(call.sampled);
      // Parsers of servers begin at the generation prompt, which may hold the head of a call: gpt-oss's `<|start|>assistant`.
      const reads = (output: string): boolean => format === undefined || format.reads(output, called) || format.reads(`${opening()}${output}`, called);
      const read = (encoded: EncodedCall): EncodedCall => (reads(encoded.outputText) ? encoded : { ...encoded, flags: [...encoded.flags, 'parse-differs'] });
      const assemble = (prompt: string) => assembleReply(call.sampled, { render: renderAlone, variables, tools: context.tools, template, format, reads, control: controlText === 'text' ? control : new Set(), prompt });
      const layout = (): Laid | Refusal => layOutCall(call, context, { convert, render, markup, assemble, reads });
      if (call.tokens !== undefined) {
        const recorded = encodeRecorded(call, call.tokens, { render: () => render(call.prompt.head, undefined, context), layout, encodePrompt, tokenizer });
        return 'refused' in recorded ? recorded : read(recorded);
      }
      const laid = layout();
      if ('refused' in laid) return laid;
      const promptIds = encodePrompt(laid.rendered.prompt);
      const outputIds = encode.text(laid.output);
      if (promptIds === undefined || outputIds === undefined) return { refused: 'not-encodable', message: 'A text has a lone surrogate, which has no UTF-8.' };
      const attributed = attribute(outputIds, laid, tokenizer, call.id);
      const unrendered = laid.unrendered === undefined ? {} : { unrendered: [{ reason: 'reasoning-not-rendered', count: tokenizer.encodePlain(laid.unrendered.toWellFormed()).length }] };
      return read({ promptIds, ...attributed, ...unrendered, flags: [...attributed.flags, 'retokenised'] });
    },
  };
}

interface Laid {
  readonly rendered: Pick<RenderedCall, 'prompt' | 'flags'>;
  /** What was sampled, which the pieces tile. */
  readonly output: Str;
  readonly pieces: readonly LayoutPiece[];
  readonly flags: readonly string[];
  readonly unrendered?: string;
}

interface LayoutTools {
  readonly convert: MessageConverter;
  readonly render: ReturnType<typeof createPromptRenderer>;
  readonly markup: () => ReplyMarkup;
  readonly assemble: (prompt: string) => AssembledReply | { readonly missing: string };
  readonly reads: (output: string) => boolean;
}

/** The reply where the template shows it behind its prompt; else as the template shows it behind a question. */
function layOutCall(call: ModelCall, context: EncodeContext, tools: LayoutTools): Laid | Refusal {
  const { content = '', reasoning_content: reasoning = '', tool_calls: calls = [] } = tools.convert({ role: 'assistant', parts: call.sampled }).messages[0] ?? {};
  const withheld = call.sampled.some(isWithheld);
  if (content === '' && reasoning === '' && calls.length === 0) {
    return withheld ? { refused: 'reasoning-withheld', message: 'The reply is reasoning only, and its text is gone.' } : { refused: 'empty-reply', message: 'The reply has no text, reasoning or call.' };
  }
  const inPlace = layOutInPlace(call, context, tools);
  if ('refused' in inPlace) return inPlace.refused === 'render-mismatch' ? layOutAlone(call, context, tools) : inPlace;
  if (calls.length === 0 || tools.reads(textOf(inPlace.output))) return inPlace;
  // The template spells a call so that its own server would misread it: LFM2's leaves quotes in strings as they are.
  const alone = layOutAlone(call, context, tools);
  return !('refused' in alone) && tools.reads(textOf(alone.output)) ? alone : inPlace;
}

function layOutInPlace(call: ModelCall, context: EncodeContext, { render, markup }: LayoutTools): Laid | Refusal {
  const rendered = render(call.prompt.head, { role: 'assistant', parts: call.sampled }, context);
  if ('refused' in rendered) return rendered;
  const layout = orRenderFailure(() => layOutReply(textOf(rendered.reply), call.sampled, markup()));
  // The markup is that of replies to a bare question, which a template may refuse although it shows this one.
  if ('refused' in layout) return { ...layout, refused: 'render-mismatch' };
  if ('missing' in layout) return mismatch(layout.missing);
  const pieces = untilEnd(layout.pieces, call);
  const output = cut(rendered.reply, layout.start, layout.start + lengthOf(pieces));
  return { rendered, output, pieces, flags: [...rendered.flags, ...layout.flags, ...partFlags(call)] };
}

function layOutAlone(call: ModelCall, context: EncodeContext, { render, assemble }: LayoutTools): Laid | Refusal {
  const rendered = render(call.prompt.head, undefined, context);
  if ('refused' in rendered) return rendered;
  const assembled = orRenderFailure(() => assemble(endOf(rendered.prompt)));
  if ('refused' in assembled) return assembled;
  if ('missing' in assembled) return mismatch(assembled.missing);
  const pieces = untilEnd(assembled.pieces, call);
  const { unrendered } = assembled;
  const flags = [...rendered.flags, ...partFlags(call), 'rendered-alone'];
  return { rendered, output: cut(assembled.output, 0, lengthOf(pieces)), pieces, flags, ...(unrendered === undefined ? {} : { unrendered }) };
}

function mismatch(missing: string): Refusal {
  return { refused: 'render-mismatch', message: `The template does not show ${missing} of the reply where it was sampled.` };
}

function partFlags({ sampled }: ModelCall): readonly string[] {
  return [...(sampled.some(isWithheld) ? ['reasoning-withheld'] : []), ...(inTemplateOrder(sampled) ? [] : ['reordered'])];
}

function lengthOf(pieces: readonly LayoutPiece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.text.length, 0);
}

/** The last characters of a prompt, among which a thought may have been opened. */
function endOf(prompt: Rendering): string {
  let [text, at]: [string, Rendering | undefined] = ['', prompt];
  for (; at !== undefined && text.length < PROMPT_END_UTF16; at = at.parent) text = textOf(at.segment.text) + text;
  return text;
}

const PROMPT_END_UTF16 = 200;

/** The end-of-turn token was sampled only by a reply that ended by itself. */
function untilEnd(pieces: readonly LayoutPiece[], call: ModelCall): readonly LayoutPiece[] {
  return call.finishReason === 'stop' || call.finishReason === 'tool-calls' ? pieces : pieces.filter((piece) => piece.kind !== 'end-of-turn' && piece.kind !== 'template');
}

type Attributed = Pick<EncodedCall, 'outputIds' | 'outputLossMask' | 'spans' | 'outputText' | 'flags'>;

function attribute(outputIds: Int32Array, { pieces, output, flags }: Laid, tokenizer: Tokenizer, callId: string): Attributed {
  const outputText = textOf(output);
  const tokenBytes = outputIds.reduce((sum, id) => sum + tokenizer.tokenBytes(id).length, 0);
  const normalised = tokenBytes !== Buffer.byteLength(outputText);
  // A tokenizer that normalises makes other bytes of a text; it is then asked how many.
  const bytesOf = (text: string): number => (normalised ? tokenizer.encodePlain(text).reduce((sum, id) => sum + tokenizer.tokenBytes(id).length, 0) : Buffer.byteLength(text));
  const runs: ByteRun[] = pieces.map((piece) => ({ kind: piece.kind, bytes: bytesOf(piece.text), excluded: piece.excluded }));
  const { mask, spans } = spanTokens(outputIds, runs, tokenizer, callId);
  return { outputIds, outputLossMask: mask, spans, outputText, flags: normalised ? [...flags, 'unicode-normalised'] : flags };
}

interface RecordedParts {
  readonly render: () => RenderedCall | Refusal;
  readonly layout: () => Laid | Refusal;
  readonly encodePrompt: SegmentEncoder;
  readonly tokenizer: Tokenizer;
}

/** Recorded ids are never decoded and encoded again; the rendering only says what they are, where it gives the same text. */
function encodeRecorded(call: ModelCall, tokens: RecordedTokens, { render, layout, encodePrompt, tokenizer }: RecordedParts): EncodedCall | Refusal {
  const outputIds = Int32Array.from(tokens.outputIds);
  const laid = layout();
  const prompt = tokens.promptIds === undefined && 'refused' in laid ? render() : undefined;
  if (prompt !== undefined && 'refused' in prompt) return prompt;
  const rendered = prompt ?? ('refused' in laid ? undefined : laid.rendered);
  const promptIds = tokens.promptIds === undefined ? (rendered === undefined ? undefined : encodePrompt(rendered.prompt)) : Int32Array.from(tokens.promptIds);
  if (promptIds === undefined) return { refused: 'not-encodable', message: 'A text of the prompt has a lone surrogate, which has no UTF-8.' };
  const outputText = tokenizer.decode(outputIds);
  if (!('refused' in laid)) {
    const attributed = attribute(outputIds, laid, tokenizer, call.id);
    if (attributed.outputText === outputText) return { promptIds, ...attributed };
  }
  const excluded = call.sampled.map(exclusionOf).find((reason) => reason !== undefined);
  const spans = outputIds.length === 0 ? [] : [{ span: { start: 0, end: outputIds.length }, kind: 'text' as const, callId: call.id, ...(excluded === undefined ? {} : { excluded }) }];
  return { promptIds, outputIds, outputLossMask: new Uint8Array(outputIds.length).fill(excluded === undefined ? 1 : 0), spans, outputText, flags: [...(rendered?.flags ?? []), 'spans-unknown'] };
}
