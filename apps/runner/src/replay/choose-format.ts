import type { ChatTemplate, ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import type { Application } from '../composition/application.js';

export interface ChosenFormats {
  readonly format: ToolFormat;
  readonly reasoning: ReasoningFormat;
  readonly reason: string;
}

/**
 * The parsers of a run: those that the user named, or those whose markers the chat template itself writes.
 *
 * Undefined when the template shows no format that is known. throws AgentError `unknown-name`
 */
export function chooseFormats(application: Application, template: ChatTemplate, asked: { readonly toolCallParser: string; readonly reasoningParser: string }): ChosenFormats | undefined {
  const named = asked.toolCallParser !== 'auto';
  const format = named ? application.formats.get(asked.toolCallParser) : formatIn(template.text, application.formats.values);
  const reasoningName = asked.reasoningParser === 'auto' ? format?.reasoning : asked.reasoningParser;
  const reasoning = reasoningName === undefined ? undefined : application.reasoning.get(reasoningName);
  if (format === undefined || reasoning === undefined) return undefined;
  return { format, reasoning, reason: named ? 'as asked' : `chat template "${template.name}" writes ${format.block?.open[0]?.text ?? ''}${headOf(format)}` };
}

/** Of the formats all of whose markers stand in the template, the one with the most marker text: the others are parts of it. */
function formatIn(template: string, formats: readonly ToolFormat[]): ToolFormat | undefined {
  const weight = (format: ToolFormat): number => {
    const markers = [format.block?.open[0]?.text ?? '', format.block?.close[0]?.text ?? '', ...format.call.flatMap((step) => (step.kind === 'literal' ? [step.text] : []))].filter((text) => text !== '');
    return markers.every((marker) => template.includes(marker)) ? markers.join('').length : 0;
  };
  const ranked = formats.map((format) => ({ format, weight: weight(format) })).filter((entry) => entry.weight > 0).sort((a, b) => b.weight - a.weight);
  return ranked[0]?.format;
}

function headOf(format: ToolFormat): string {
  const [first] = format.call;
  return first?.kind === 'literal' ? first.text : '';
}
