import type { LanguageModelV4CallOptions, LanguageModelV4Middleware, LanguageModelV4StreamPart, SharedV4Warning } from '@ai-sdk/provider';
import type { ReasoningFormat, ToolDefinition, ToolFormat } from '@turnwright/contracts';
import { OutputParser, type ParserOptions } from '@turnwright/parsing';
import { promptInWords } from './prompt-in-words.js';
import { ResponseReader } from './response-reader.js';
import { readResult } from './read-result.js';
import { callIdsOf, definitionsOf } from './request-tools.js';

export interface ToolMiddlewareOptions extends Pick<ParserOptions, 'promptOpensReasoning' | 'callsInReasoning' | 'strict' | 'depth'> {
  /** How the model writes calls. */
  readonly format: ToolFormat;
  /** How it marks thoughts; absent: thoughts stay text. */
  readonly reasoning?: ReasoningFormat;
  /** Other formats that a call of a declared tool is accepted in. */
  readonly fallbacks?: readonly ToolFormat[];
  /**
   * Who puts tools, calls and results into the prompt: `middleware` writes them as text, for a provider that has no tools;
   * `provider` leaves the request alone, for a server whose template has them but that does not read calls.
   */
  readonly toolsWrittenBy?: 'middleware' | 'provider';
  /** The system text for these tools, in place of the built-in one; `example` is a call as the format writes it. */
  readonly instructions?: (tools: readonly ToolDefinition[], example: string) => string;
  /** Called once for each attempted call whose id the model did not write. */
  readonly generateId?: () => string;
}

/** What reading a response needs to know of its request. */
interface RequestState {
  readonly tools: readonly ToolDefinition[];
  readonly usedIds: ReadonlySet<string>;
  readonly warnings: readonly SharedV4Warning[];
}

/**
 * Gives tool calls and reasoning to a language model that only writes text, for `wrapLanguageModel` of the `ai` package.
 *
 * A batch and every cut of a stream give the same parts. A text that the model did not finish as a call is reported in
 * `providerMetadata.turnwright.attempts`, and in a batch as a warning; it is never a call.
 */
export function createToolMiddleware(options: ToolMiddlewareOptions): LanguageModelV4Middleware {
  // The SDK hands the object that transformParams returned to the wrappers, so nothing need travel in it to the provider.
  const states = new WeakMap<LanguageModelV4CallOptions, RequestState>();
  const stateOf = (params: LanguageModelV4CallOptions): RequestState => states.get(params) ?? { tools: definitionsOf(params), usedIds: callIdsOf(params.prompt), warnings: [] };
  const readerFor = (params: LanguageModelV4CallOptions, state: RequestState): ResponseReader | undefined => {
    if (state.tools.length === 0 && options.reasoning === undefined) return undefined;
    return new ResponseReader(new OutputParser(parserOptions(options, params, state.tools)), { usedIds: state.usedIds, generateId: options.generateId ?? randomId });
  };
  return {
    specificationVersion: 'v4',
    transformParams: ({ params }) => {
      const { params: written, warnings } = options.toolsWrittenBy === 'provider' ? { params: { ...params }, warnings: [] } : promptInWords(params, options);
      states.set(written, { tools: definitionsOf(params), usedIds: callIdsOf(params.prompt), warnings });
      return Promise.resolve(written);
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const state = stateOf(params);
      const reader = readerFor(params, state);
      const result = await doGenerate();
      const warned = { ...result, warnings: [...result.warnings, ...state.warnings] };
      return reader === undefined ? warned : readResult(reader, warned);
    },
    wrapStream: async ({ doStream, params }) => {
      const state = stateOf(params);
      const reader = readerFor(params, state);
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(readingStream(reader, state.warnings)) };
    },
  };
}

function parserOptions(options: ToolMiddlewareOptions, params: LanguageModelV4CallOptions, tools: readonly ToolDefinition[]): ParserOptions {
  const { format, reasoning, fallbacks = [], promptOpensReasoning, callsInReasoning, strict, depth } = options;
  return {
    tools,
    ...(tools.length === 0 ? {} : { format, fallbacks: fallbacks.filter((fallback) => fallback !== format) }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(promptOpensReasoning === undefined ? {} : { promptOpensReasoning }),
    ...(callsInReasoning === undefined ? {} : { callsInReasoning }),
    ...(strict === undefined ? {} : { strict }),
    ...(depth === undefined ? {} : { depth }),
    thinking: params.reasoning !== 'none',
  };
}

/** The stream with its text read. Warnings are only heard at a stream's start, so they join the provider's. */
function readingStream(reader: ResponseReader | undefined, warnings: readonly SharedV4Warning[]): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  return new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform(part, controller) {
      const warned = part.type === 'stream-start' ? { ...part, warnings: [...part.warnings, ...warnings] } : part;
      for (const read of reader?.read(warned) ?? [warned]) controller.enqueue(read);
    },
    flush(controller) {
      for (const read of reader?.end() ?? []) controller.enqueue(read);
    },
  });
}

function randomId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
