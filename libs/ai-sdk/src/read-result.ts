import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { descriptionOf } from './text-blocks.js';
import type { ResponseReader } from './response-reader.js';

/** A whole result, read as the stream of its parts: there is no second path for batches. */
export function readResult(reader: ResponseReader, result: LanguageModelV4GenerateResult): LanguageModelV4GenerateResult {
  const { finishReason, usage, providerMetadata } = result;
  const finish = { type: 'finish' as const, finishReason, usage, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
  const parts = [...result.content.flatMap(streamOf), finish].flatMap((part) => reader.read(part));
  const end = parts.find((part) => part.type === 'finish') ?? finish;
  return {
    ...result,
    content: contentOf(parts),
    finishReason: end.finishReason,
    ...(end.providerMetadata === undefined ? {} : { providerMetadata: end.providerMetadata }),
    warnings: [...result.warnings, ...reader.reports.map(({ index, name, status, notes }) => ({ type: 'other' as const, message: `Attempted call ${String(index)} "${name}" is ${status}, so it is no call${notes.length === 0 ? '' : `: ${notes.join(', ')}`}.` }))],
  };
}

function streamOf(part: LanguageModelV4Content, index: number): readonly LanguageModelV4StreamPart[] {
  const id = String(index);
  switch (part.type) {
    case 'text': return [{ type: 'text-start', id, ...metadataOf(part) }, { type: 'text-delta', id, delta: part.text }, { type: 'text-end', id, ...descriptionOf(part) }];
    case 'reasoning': return [{ type: 'reasoning-start', id }, { type: 'reasoning-delta', id, delta: part.text }, { type: 'reasoning-end', id, ...metadataOf(part) }];
    default: return [part];
  }
}

function metadataOf({ providerMetadata }: Pick<LanguageModelV4Content, 'providerMetadata'>): { providerMetadata?: SharedV4ProviderMetadata } {
  return providerMetadata === undefined ? {} : { providerMetadata };
}

/** The parts of a stream as contents, a block where it began. */
function contentOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  const blocks = new Map<string, Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>>();
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const block = { type: part.type === 'text-start' ? 'text' as const : 'reasoning' as const, text: '' };
        blocks.set(part.id, block);
        content.push(block);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const block = blocks.get(part.id);
        if (block === undefined) break;
        if ('delta' in part) block.text += part.delta;
        else Object.assign(block, descriptionOf(part));
        break;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'source':
        content.push(part);
        break;
      default:
    }
  }
  return content;
}
