import { checkTemplate, type Extension, type TemplateReport } from '@turnwright/prompting';
import type { Application } from '../composition/application.js';
import { findTemplate } from '../replay/find-model.js';
import { table, type CommandOutput } from './output.js';

/** `turnwright template check NAME|FILE|FOLDER`: what a chat template does with a conversation that goes on. */
export async function checkTemplateCommand(application: Application, name: string, options: { readonly json: boolean }, output: CommandOutput): Promise<void> {
  const { name: called, text, source, endOfTurn, endOfCalls } = await findTemplate(application, name, {});
  const report = checkTemplate({ name: called, text, source, endOfTurn });
  if (options.json) output.line(JSON.stringify({ ...report, stopTokens: { afterAnswer: endOfTurn, afterCalls: endOfCalls ?? endOfTurn } }, null, 2));
  else for (const line of describe(report, { endOfTurn, endOfCalls: endOfCalls ?? endOfTurn })) output.line(line);
}

const EXTENSIONS: Readonly<Record<Extension, string>> = {
  extends: 'extends: one row',
  breaks: 'breaks: a row of its own',
  refused: 'refused by the template',
};

function describe(report: TemplateReport, stops: { readonly endOfTurn: string; readonly endOfCalls: string }): string[] {
  const quoted = (text: string | undefined): string => (text === undefined ? 'none found' : JSON.stringify(text));
  return table([
    ['template', report.name],
    ['after a tool result', EXTENSIONS[report.afterResult]],
    ['after a question', EXTENSIONS[report.afterQuestion]],
    ['  with reasoning', `${EXTENSIONS[report.reasoningAfterResult]} (result), ${EXTENSIONS[report.reasoningAfterQuestion]} (question)`],
    ['causes', report.causes.join('; ') || 'none'],
    ['generation prompt', quoted(report.generationPrompt)],
    ['stop token', `${quoted(stops.endOfTurn)}${stops.endOfCalls === stops.endOfTurn ? '' : `, after calls ${quoted(stops.endOfCalls)}`}`],
    ['  in the template', report.endOfTurn === undefined ? 'not written: it is what the next message begins with' : report.endsLastReply ? 'written after every reply' : 'written after a reply when the next message comes'],
    ['  written behind it', quoted(report.afterEndOfTurn)],
    ['reasoning', report.reasoningField === undefined ? 'not shown' : `shown of ${report.reasoningField}`],
    ['tools', report.toolsShown ? 'shown' : 'not shown'],
    ['masks', report.masks ? 'generation blocks' : 'none'],
  ]);
}
