import type { z } from 'zod';
import type { Diagnostic } from './diagnostics.js';
import type { ToolDefinition } from './json.js';
import type { LedgerEntry, TokenExclusion, TokenSegment, TokenSpan, TrainingSample, TurnBoundary, TurnRecord } from './trajectory.js';
import type { ModelCall, Session } from './session.js';

/** Text to ids and back, exactly as the server's tokenizer. */
export interface Tokenizer {
  readonly name: string;
  /** Hash of the ids of a probe text, so that a sample names the build that made it. */
  readonly fingerprint: string;
  readonly vocabularySize: number;
  /** Ids of `text`, in which added tokens are structure; nothing is added. */
  encode(text: string): number[];
  /** Ids of `text`, in which the text of an added token is plain text. */
  encodePlain(text: string): number[];
  /** The text of `ids`, control tokens included, nothing cleaned up. */
  decode(ids: ArrayLike<number>): string;
  /** UTF-8 bytes that a token stands for; the bytes of a text's tokens, joined, are the text. */
  tokenBytes(id: number): Uint8Array;
  /** The id of an added token such as `<|im_end|>`. */
  addedTokenId(text: string): number | undefined;
  /** The texts of the added tokens; a tokenizer that does not list them is asked id by id. */
  readonly addedTokens?: readonly string[];
  /** Those of the added tokens that are marked as special: never part of ordinary text. */
  readonly specialTokens?: readonly string[];
  /** What its configuration calls `bos_token`, `eos_token`, …, which chat templates write. */
  readonly namedTokens?: Readonly<Record<string, string>>;
}

/** A conversation as a chat template takes it. */
export interface TemplateRequest {
  readonly messages: readonly TemplateMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly addGenerationPrompt: boolean;
  /** Further variables of the template, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A message in the names that chat templates use. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly reasoning_content?: string;
  /** `arguments` is JSON text and is printed as such. */
  readonly tool_calls?: readonly { readonly id?: string; readonly type: 'function'; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

export interface ChatTemplate {
  readonly name: string;
  /** Hash of the template's text. */
  readonly fingerprint: string;
  /** The template itself; which markers it writes tells which parsers read its models. */
  readonly text: string;
  readonly source: string;
  /** The token that ends a reply, as text. */
  readonly endOfTurn: string;
  /** The token that ends a reply with tool calls, where it is another one: gpt-oss `<|call|>`, GLM `<|observation|>`. */
  readonly endOfCalls?: string;
  /** The program whose changes to a request `render` makes first; absent: none, as transformers. */
  readonly server?: string;
  /** throws AgentError `template-failed` */
  render(request: TemplateRequest): string;
}

/** How requests came to a template: part of what makes the ids. */
export interface Serving {
  /** The program that handed them over, since each changes them before: `transformers` (default, changes nothing), `sglang`, `vllm`. */
  readonly server?: string;
  /** What its clock showed, as `2026-01-15T12:34:56`; without it a template has no clock. */
  readonly now?: string;
}

/** A call in tokens. */
export interface EncodedCall {
  readonly promptIds: Int32Array;
  readonly outputIds: Int32Array;
  readonly outputLossMask: Uint8Array;
  /** Tile `outputIds`; they say why the encoder itself excluded some. */
  readonly spans: readonly TokenSpan[];
  /** What was sampled and has no place in the output, since the chat template has none for it; in tokens of its own. */
  readonly unrendered?: readonly TokenExclusion[];
  /** The output's text. */
  readonly outputText: string;
  readonly flags: readonly string[];
}

/** Turns calls into tokens; one per session, since it may remember what it rendered. */
export interface PromptEncoder {
  /** A result, or the reason why the call cannot be rendered faithfully. */
  encodeCall(call: ModelCall, context: EncodeContext): EncodedCall | { readonly refused: string; readonly message: string };
}

export interface EncodeContext {
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolDefinition[];
}

/** A file to read, in pieces or at an offset, so that a reader need not hold it. */
export interface SourceFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Bytes from `start`, in order; chunk borders mean nothing. */
  stream(start?: number): AsyncIterable<Uint8Array>;
  /** Exactly the bytes `[start, end)`. */
  slice(start: number, end: number): Promise<Uint8Array>;
}

export interface ReadContext {
  /** Identities of replies that an earlier file of the run holds; the reader adds its own. */
  readonly seenReplies: Set<string>;
  readonly signal?: AbortSignal;
}

/** Reads one kind of recorded session. Told apart by content, never by the file's name. */
export interface SessionReader {
  readonly name: string;
  readonly description: string;
  /**
   * How sure the reader is that the file is its own, from its first bytes: 0 not at all, 1 certain.
   * The highest one reads the file.
   */
  detect(head: Uint8Array, path: string): number;
  /** Sessions of the file, one at a time; damaged records become diagnostics, never exceptions. */
  read(file: SourceFile, context: ReadContext): AsyncIterable<Session>;
}

/** Where rows go. Nothing is visible under its final name until `close`; `abort` leaves nothing behind. */
export interface SampleSink {
  write(sample: TrainingSample): Promise<void>;
  /** Files written, by name. */
  close(): Promise<readonly string[]>;
  abort(): Promise<void>;
}

export interface Exporter {
  /** The `--format` name. */
  readonly name: string;
  readonly description: string;
  open(directory: string, options: { readonly rowsPerFile: number }): Promise<SampleSink>;
}

/** Joins turns into rows. A policy is a plugin. */
export interface MergePolicy {
  readonly name: string;
  readonly description: string;
  /** throws AgentError `length-mismatch`, `bad-contract`, `duplicate-name`, `missing-parent`, `cycle` */
  merge(turns: readonly TurnRecord[], options?: MergeOptions): MergeResult;
}

/** What a merge may know beyond the turns; a policy may use none of it. */
export interface MergeOptions {
  /**
   * Ids that end a turn and stand for each other, such as gpt-oss's `<|return|>` (sampled) and `<|end|>` (in history). A call whose prompt
   * has another one of a set where the output before it ended continues the row; the token that was not sampled is context.
   */
  readonly equalTerminators?: readonly (readonly number[])[];
  /** Ids that end a turn. A call that stopped without one of these, or of `equalTerminators`, is flagged `stop-token-not-recorded`. */
  readonly terminators?: readonly number[];
  /** The text of ids, for causes that only text can tell apart. Called at boundaries, with at most a few thousand ids. */
  readonly decode?: (ids: Int32Array) => string;
}

export interface MergeResult {
  readonly segments: readonly TokenSegment[];
  /** For every turn, in order. */
  readonly outcomes: readonly TurnOutcome[];
}

/** What a merge did with a turn: `trained + sum(excluded)` is what the turn sampled and could have trained. */
export interface TurnOutcome {
  readonly id: string;
  readonly trainedTokens: number;
  /** What the merge itself gave up. */
  readonly excluded: readonly { readonly reason: string; readonly count: number }[];
  /** Into `segments`; the first one trains it. */
  readonly segmentIndices: readonly number[];
  readonly boundary?: TurnBoundary;
  /** For the ledger. */
  readonly flags?: readonly string[];
}

/** What a recipe makes of one session. */
export interface RecipeResult {
  readonly samples: readonly TrainingSample[];
  readonly ledger: readonly LedgerEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The ids of calls that a model knows: prefix, name, ordinal sign and a number counted over the conversation; or nine letters and digits. */
export type CallIds = { readonly kind: 'named'; readonly prefix: string; readonly ordinal: string } | { readonly kind: 'nine-alphanumerics' };

/** What a recipe may use; the runner supplies it. */
export interface RecipeServices {
  readonly tokenizer: Tokenizer;
  readonly createEncoder: (options: { readonly variables?: Readonly<Record<string, unknown>>; readonly controlText: 'text' | 'structure' }) => PromptEncoder;
  /** throws AgentError `unknown-name` */
  readonly mergePolicy: (name: string) => MergePolicy;
  /** How the model's calls are named; absent: any id will do. */
  readonly callIds?: CallIds;
  /** What made the ids, for each row to say: server, and the fingerprints of tokenizer and template. */
  readonly provenance: Readonly<Record<string, string>>;
}

/** A use case: a session in, rows and ledger lines out. */
export interface Recipe<Options extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly options: Options;
  build(options: z.output<Options>, services: RecipeServices): RecipeRun;
}

export interface RecipeRun {
  session(session: Session): RecipeResult | Promise<RecipeResult>;
}

/** Rows of numbers, kept where the provider wants them. */
export interface TensorOperations {
  readonly provider: string;
  /**
   * Log-probs of chosen tokens.
   *
   * shape  `logits` `[T, V]` row-major, `ids` `[T]`, result `[T]`
   * unit   nats
   */
  tokenLogprobs(logits: Float32Array, ids: Int32Array, vocabularySize: number): Promise<Float32Array>;
}

