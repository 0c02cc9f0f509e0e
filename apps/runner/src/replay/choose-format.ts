import type { ChatTemplate, ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { chooseFormats, type FormatClues } from '@turnwright/parsing';
import { showCall } from '@turnwright/prompting';
import type { Application } from '../composition/application.js';

export type ChosenFormats =
  | { readonly kind: 'chosen'; readonly format: ToolFormat; readonly reasoning: ReasoningFormat; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * The parsers of a run: those that the user named, or those that the chat template and the tokenizer's name show.
 *
 * throws AgentError `unknown-name`
 */
export function formatsOfRun(application: Application, template: ChatTemplate, asked: { readonly tokenizer: string; readonly toolCallParser: string; readonly reasoningParser: string }): ChosenFormats {
  const named = asked.toolCallParser !== 'auto';
  const choice = named ? { kind: 'chosen' as const, format: application.formats.get(asked.toolCallParser), reason: 'as asked' } : chooseFormats({ template: template.text, model: [...new Set([template.name, asked.tokenizer])].join(' '), ...shownCall(template) }, application.formats.values, application.reasoning.values);
  // A name that is wrong is wrong whether or not it would be used.
  const askedReasoning = asked.reasoningParser === 'auto' ? undefined : application.reasoning.get(asked.reasoningParser);
  if (choice.kind === 'unsure') return { kind: 'none', reason: `${choice.reason}${choice.candidates.length > 0 ? `: ${choice.candidates.join(', ')}` : ''}; --tool-call-parser says which` };
  return { kind: 'chosen', format: choice.format, reasoning: askedReasoning ?? application.reasoning.get(choice.format.reasoning), reason: choice.reason };
}

function shownCall(template: ChatTemplate): Pick<FormatClues, 'shown'> {
  const shown = showCall(template);
  return shown === undefined ? {} : { shown };
}
