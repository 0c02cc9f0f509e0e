import { fieldsOf, given, listOf, numberOf, numbersOf, optionalFields, optionalNumber, optionalNumbers, optionalText, type Fields } from '../request-fields.js';
import { agentLoopOutput, type AgentLoopFields, type VerlOutput } from './agent-loop-output.js';
import { batchOf, type Batch } from './batch.js';
import { columnsOf } from './columns.js';
import { padRow, type PaddedRow, type PadOptions } from './padded-row.js';
import { int64, type Tensor } from './tensor.js';
import { describeTensors } from './tensor-text.js';
import { fitRows, toTensors } from './to-tensors.js';
import { queueRows } from './transfer-queue.js';

/** `verl.as_dict`: what is put into the extra fields after construction, and what is assigned, is done before the call. */
export function answerAsDict(input: Fields): unknown {
  const constructed = outputOf(fieldsOf(input['kwargs'], 'kwargs'));
  Object.assign(constructed.extraFields, optionalFields(input, 'mutate'));
  const assigned = optionalFields(input, 'assign');
  const output = assigned !== undefined && 'extra_fields' in assigned ? { ...constructed, extraFields: assigned['extra_fields'] as VerlOutput['extraFields'] } : constructed;
  for (let call = 1; call < (optionalNumber(input, 'times') ?? 1); call++) toTensors(output);
  return { out: describeTensors(toTensors(output)), extra_fields_after: output.extraFields };
}

function outputOf(kwargs: Fields): VerlOutput {
  const fields: AgentLoopFields = {
    promptIds: numbersOf(kwargs, 'prompt_ids'),
    responseIds: numbersOf(kwargs, 'response_ids'),
    responseMask: numbersOf(kwargs, 'response_mask'),
    ...given({
      responseLogprobs: optionalNumbers(kwargs, 'response_logprobs'),
      multiModalData: optionalFields(kwargs, 'multi_modal_data'),
      mmProcessorKwargs: optionalFields(kwargs, 'mm_processor_kwargs'),
      rewardScore: optionalNumber(kwargs, 'reward_score'),
      numTurns: optionalNumber(kwargs, 'num_turns'),
      metrics: optionalFields(kwargs, 'metrics'),
      extraFields: 'extra_fields' in kwargs ? fieldsOf(kwargs['extra_fields'], 'extra_fields') : undefined,
    }),
  };
  return agentLoopOutput(fields);
}

/** `verl.routed_experts`: the experts are numbered from 1 in row-major order. */
export function answerRoutedExperts(input: Fields): unknown {
  const [rows, layers, topk] = [numberOf(input, 'rows'), numberOf(input, 'layers'), numberOf(input, 'topk')];
  const experts: Tensor = { dtype: 'int16', shape: [rows, layers, topk], data: Array.from({ length: rows * layers * topk }, (_, i) => i + 1) };
  return describeTensors(fitRows(experts, numberOf(input, 'prompt_len') + numberOf(input, 'response_len')));
}

/** `verl.pad` */
export function answerPad(input: Fields): unknown {
  const rawPrompt = input['raw_prompt'] === undefined ? [] : listOf(input, 'raw_prompt');
  return describeTensors(paddedFields(padRow(outputOf(fieldsOf(input['output'], 'output')), { ...padOptions(input), rawPrompt })));
}

function padOptions(input: Fields): PadOptions {
  return { promptLength: numberOf(input, 'prompt_length'), responseLength: numberOf(input, 'response_length'), ...given({ padTokenId: optionalNumber(input, 'pad_token_id') }) };
}

function paddedFields(row: PaddedRow): unknown {
  return {
    prompt_ids: row.promptIds,
    response_ids: row.responseIds,
    response_mask: row.responseMask,
    response_logprobs: row.responseLogprobs ?? null,
    routed_experts: row.routedExperts ?? null,
    multi_modal_data: row.output.multiModalData ?? null,
    reward_score: row.output.rewardScore ?? null,
    num_turns: row.output.numTurns,
    metrics: row.output.metrics,
    extra_fields: row.extraFields,
    mm_processor_kwargs: row.output.mmProcessorKwargs ?? null,
    input_ids: row.inputIds,
    position_ids: row.positionIds,
    attention_mask: row.attentionMask,
    teacher_logprobs: row.teacherLogprobs ?? null,
    teacher_ids: row.teacherIds ?? null,
    multi_modal_inputs: {},
  };
}

/** `verl.batch` */
export function answerBatch(input: Fields): unknown {
  const rows = listOf(input, 'outputs').map((output) => padRow(outputOf(fieldsOf(output, 'outputs')), padOptions(input)));
  const dataset = optionalFields(input, 'input_non_tensor_batch') ?? {};
  return batchFields(batchOf(rows, Object.fromEntries(Object.keys(dataset).map((key) => [key, listOf(dataset, key)]))));
}

function batchFields({ tensors, turnCounts, objects, metrics, rewardExtraKeys }: Batch): unknown {
  const array = (ndarray: string, data: readonly unknown[]) => ({ ndarray, shape: [data.length], data });
  return {
    batch: describeTensors(tensors),
    non_tensor_batch: { __num_turns__: array('int32', turnCounts), ...Object.fromEntries(Object.entries(objects).map(([key, values]) => [key, array('object', values)])) },
    meta_info: { metrics, ...(rewardExtraKeys === undefined ? {} : { reward_extra_keys: rewardExtraKeys }) },
  };
}

/** `verl.transfer_queue_rows` */
export function answerTransferQueueRows(input: Fields): unknown {
  const puts = queueRows(listOf(input, 'outputs').map((output) => outputOf(fieldsOf(output, 'outputs'))), {
    uid: optionalText(input, 'uid') ?? 'u',
    sessionId: optionalNumber(input, 'session_id') ?? 0,
    globalSteps: optionalNumber(input, 'global_steps') ?? 3,
    partitionId: 'train',
    ...given({ datasetFields: optionalFields(input, 'dataset_fields') }),
  });
  return puts.map(({ keys, partitionId, tags, fields }) => ({ keys, partition_id: partitionId, tags, fields: describeTensors(fields) }));
}

/** `verl.columns`: a list of numbers in a row is a tensor. */
export function answerColumns(input: Fields): unknown {
  const rows = listOf(input, 'rows').map((row) => Object.fromEntries(Object.entries(fieldsOf(row, 'rows')).map(([key, value]) => [key, isNumbers(value) ? int64(value) : value])));
  return describeTensors(columnsOf(rows));
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}
