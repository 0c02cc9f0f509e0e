import type { EncodedCall, ExclusionReason, LedgerEntry, ModelCall, PromptEncoder, RecipeResult, RecipeServices, Session, TokenExclusion, TokenSpanKind, TurnRecord } from '@turnwright/contracts';
import { assembleSamples, createTurnRecorder, ledgerEntry } from '@turnwright/trajectory';
import { countSampledTokens } from './count-sampled-tokens.js';
import { fitCallIds } from './fitting-call-ids.js';

/** What a recipe decides; everything else is the same for all of them. */
export interface PipelineChoices {
  /** A merge policy's name. */
  readonly policy: string;
  /** Further variables of the chat template. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Whether the text of a control token inside a message is text, or becomes the control token as on most servers. */
  readonly controlText?: 'text' | 'structure';
  /** The call's reply gets loss, or the reason why not. Asked for calls that may be trained at all. */
  readonly trainsCall?: (call: ModelCall, session: Session) => true | ExclusionReason;
  /** The kind of span gets loss. */
  readonly trainsKind?: (kind: TokenSpanKind) => boolean;
  readonly reward?: (session: Session) => { readonly reward: number | null; readonly groupId?: string };
}

interface EncodedTurn {
  readonly call: ModelCall;
  readonly promptTokens: number;
  readonly flags: readonly string[];
  readonly turn?: TurnRecord;
  readonly unrendered?: readonly TokenExclusion[];
  readonly refused?: { readonly reason: string; readonly message: string; readonly sampledTokens: number };
}

/** One session: its calls in tokens, joined into rows, with a ledger line for each call. */
export function runPipeline(recorded: Session, services: RecipeServices, choices: PipelineChoices): RecipeResult {
  const session = services.callIds === undefined ? recorded : fitCallIds(recorded, services.callIds);
  const encoder = services.createEncoder({ controlText: choices.controlText ?? 'text', ...(choices.variables === undefined ? {} : { variables: choices.variables }) });
  const encoded = encodeCalls(session, encoder, services, choices);
  const turns = encoded.flatMap(({ turn }) => (turn === undefined ? [] : [turn]));
  const mergeResult = services.mergePolicy(choices.policy).merge(turns, { decode: (ids) => services.tokenizer.decode(ids) });
  const { reward, groupId } = choices.reward?.(session) ?? { reward: session.reward ?? null };
  const { samples, sampleIds } = assembleSamples({ sessionId: session.id, rolloutId: session.id, groupId: groupId ?? session.id, mergeResult, reward, metadata: { reader: session.reader, files: session.files, ...services.provenance } });
  const outcomes = new Map(mergeResult.outcomes.map((outcome) => [outcome.id, outcome]));
  const ledger = encoded.map((entry): LedgerEntry => {
    const outcome = outcomes.get(entry.call.id);
    const fate = entry.turn !== undefined && outcome !== undefined ? { turn: entry.turn, outcome } : { refused: entry.refused?.reason ?? 'not-encoded', sampledTokens: entry.refused?.sampledTokens ?? 0 };
    const rows = (outcome?.segmentIndices ?? []).flatMap((index) => sampleIds[index] ?? []);
    return ledgerEntry({ sessionId: session.id, call: entry.call, promptTokens: entry.promptTokens, fate, sampleIds: rows, flags: [...entry.flags, ...(outcome?.flags ?? [])], unrendered: entry.unrendered ?? [] });
  });
  return { samples, ledger, diagnostics: encoded.flatMap(diagnosticsOf) };
}

function encodeCalls(session: Session, encoder: PromptEncoder, services: RecipeServices, choices: PipelineChoices): EncodedTurn[] {
  const recorder = createTurnRecorder();
  const parents = new Map<string, string | undefined>();
  const recorded = new Set<string>();
  const context = { ...(session.systemPrompt.status === 'unknown' ? {} : { systemPrompt: session.systemPrompt.value }), ...(session.tools.status === 'unknown' ? {} : { tools: session.tools.value }) };
  return session.calls.map((call) => {
    parents.set(call.id, call.parentId);
    const never = neverSampled(call);
    if (never !== undefined) return { call, promptTokens: 0, flags: [never], refused: { reason: never, message: 'nothing of it was sampled', sampledTokens: 0 } };
    const encoded = encoder.encodeCall(call, hasSystemMessage(call) ? { ...(context.tools === undefined ? {} : { tools: context.tools }) } : context);
    if ('refused' in encoded) return { call, promptTokens: 0, flags: [encoded.refused], refused: { reason: encoded.refused, message: encoded.message, sampledTokens: countSampledTokens(call, services.tokenizer) } };
    const parentId = recordedAncestor(call, parents, recorded);
    const { mask, exclusions } = lossOf(call, session, encoded, choices);
    const turn = recorder.record({ id: call.id, ...(parentId === undefined ? {} : { parentId }), promptIds: encoded.promptIds, outputIds: encoded.outputIds, outputLossMask: mask, ...(call.tokens?.outputLogprobs === undefined ? {} : { outputLogprobs: call.tokens.outputLogprobs }), finishReason: call.finishReason, spans: encoded.spans, exclusions });
    recorded.add(call.id);
    return { call, promptTokens: encoded.promptIds.length, flags: encoded.flags, turn, ...(encoded.unrendered === undefined ? {} : { unrendered: encoded.unrendered }) };
  });
}

/** A reader that has the exact prompt puts the system prompt where it stood, which is not always the session's. */
function hasSystemMessage(call: ModelCall): boolean {
  let first = call.prompt.head;
  while (first?.parent !== undefined) first = first.parent;
  return first?.message.role === 'system';
}

/** Text that only looks like a reply is context of what follows and nothing else. */
function neverSampled(call: ModelCall): string | undefined {
  const sampled = call.sampled.some(({ author }) => author === 'sampled');
  if (!sampled && call.sampled.length > 0) return call.lossReason ?? 'synthetic-reply';
  return call.sampled.length === 0 && call.tokens === undefined ? call.lossReason ?? 'empty-reply' : undefined;
}

/** The nearest call before this one that is there in tokens. */
function recordedAncestor(call: ModelCall, parents: ReadonlyMap<string, string | undefined>, recorded: ReadonlySet<string>): string | undefined {
  let id = call.parentId;
  for (let steps = parents.size; id !== undefined && !recorded.has(id) && steps > 0; steps--) id = parents.get(id);
  return id !== undefined && recorded.has(id) ? id : undefined;
}

function lossOf(call: ModelCall, session: Session, encoded: EncodedCall, choices: PipelineChoices): { readonly mask: Uint8Array; readonly exclusions: readonly TokenExclusion[] } {
  const mask = Uint8Array.from(encoded.outputLossMask);
  const trains = call.loss ? choices.trainsCall?.(call, session) ?? true : call.lossReason ?? 'excluded-by-reader';
  const counts = new Map<string, number>();
  for (const { span, kind, excluded } of encoded.spans) {
    if (kind === 'template') continue;
    const reason = trains !== true ? trains : choices.trainsKind?.(kind) === false ? `loss-option-${kind}` : undefined;
    for (let i = span.start; i < span.end; i++) {
      const why = reason ?? (mask[i] === 0 ? excluded ?? 'not-sampled' : undefined);
      if (why === undefined) continue;
      mask[i] = 0;
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
  }
  return { mask, exclusions: [...counts].map(([reason, count]) => ({ reason, count })) };
}

function diagnosticsOf({ call, refused }: EncodedTurn): RecipeResult['diagnostics'] {
  if (refused === undefined || refused.sampledTokens === 0) return [];
  return [{ severity: 'warning', code: refused.reason, message: `Call "${call.id}" is not trained (${refused.reason}, ${String(refused.sampledTokens)} sampled tokens): ${refused.message}`, file: call.position.file, line: call.position.line, byteOffset: call.position.byteOffset, callId: call.id }];
}
