import { fieldsOf, given, listOf, numberOf, numbersOf, optionalFields, optionalNumber, optionalNumbers, optionalText, type Fields } from '../request-fields.js';
import { fanOutSegments, type SlimeSample } from './fan-out-segments.js';
import { mergeTurns, type SlimeSegment, type SlimeTurn } from './merge-turns.js';

/** `slime.merge_turns`, in slime's names. */
export function answerMergeTurns(input: Fields): unknown {
  const segment = mergeTurns(listOf(input, 'turns').map((turn) => turnOf(fieldsOf(turn, 'turns'))), optionalFields(input, 'metadata'));
  return segment && { prompt_ids: segment.promptIds, response_ids: segment.responseIds, loss_mask: segment.lossMask, metadata: segment.metadata };
}

function turnOf(turn: Fields): SlimeTurn {
  return {
    promptIds: numbersOf(turn, 'prompt_ids'),
    outputIds: numbersOf(turn, 'output_ids'),
    ...given({ outputLossMask: optionalNumbers(turn, 'output_loss_mask'), finishReason: optionalText(turn, 'finish_reason') }),
  };
}

/** `slime.fan_out_sample_segments`, in slime's names; ids decode as code points. */
export function answerFanOut(input: Fields): unknown {
  const segments = listOf(input, 'segments').map((segment) => segmentOf(fieldsOf(segment, 'segments')));
  const options = given({ metadata: optionalFields(input, 'metadata'), rolloutId: optionalNumber(input, 'rollout_id') });
  const samples = fanOutSegments(sampleOf(fieldsOf(input['sample'], 'sample')), segments, numberOf(input, 'reward'), 'split', { decode: (ids) => String.fromCodePoint(...ids), ...options });
  return { samples: samples.map(sampleFields) };
}

function segmentOf(segment: Fields): SlimeSegment {
  return { promptIds: numbersOf(segment, 'prompt_ids'), responseIds: numbersOf(segment, 'response_ids'), lossMask: numbersOf(segment, 'loss_mask'), metadata: optionalFields(segment, 'metadata') ?? {} };
}

function sampleOf(sample: Fields): SlimeSample {
  return {
    groupIndex: optionalNumber(sample, 'group_index') ?? null,
    index: optionalNumber(sample, 'index') ?? null,
    rolloutId: optionalNumber(sample, 'rollout_id') ?? null,
    prompt: optionalText(sample, 'prompt') ?? '',
    tokens: optionalNumbers(sample, 'tokens') ?? [],
    response: optionalText(sample, 'response') ?? '',
    responseLength: optionalNumber(sample, 'response_length') ?? 0,
    label: optionalText(sample, 'label') ?? null,
    reward: optionalNumber(sample, 'reward') ?? null,
    lossMask: optionalNumbers(sample, 'loss_mask') ?? null,
    rolloutLogProbs: optionalNumbers(sample, 'rollout_log_probs') ?? null,
    removeSample: sample['remove_sample'] === true,
    metadata: optionalFields(sample, 'metadata') ?? {},
    sessionId: optionalText(sample, 'session_id') ?? null,
    trainMetadata: optionalFields(sample, 'train_metadata') ?? null,
    status: 'pending',
  };
}

function sampleFields(sample: SlimeSample): unknown {
  return {
    group_index: sample.groupIndex,
    index: sample.index,
    rollout_id: sample.rolloutId,
    prompt: sample.prompt,
    tokens: sample.tokens,
    response: sample.response,
    response_length: sample.responseLength,
    label: sample.label,
    reward: sample.reward,
    loss_mask: sample.lossMask,
    rollout_log_probs: sample.rolloutLogProbs,
    remove_sample: sample.removeSample,
    metadata: sample.metadata,
    session_id: sample.sessionId,
    train_metadata: sample.trainMetadata,
    status: sample.status,
  };
}
