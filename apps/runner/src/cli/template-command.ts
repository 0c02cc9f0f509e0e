import { checkTemplate, type Extension, type TemplateReport } from '@turnwright/prompting';
import type { Application } from '../composition/application.js';
import { findTemplate } from '../replay/find-model.js';
import { table, type CommandOutput } from './output.js';

/** `turnwright template check NAME|FILE|FOLDER`: what a chat template does with a conversation that goes on. */
export async function checkTemplateCommand(application: Application, name: string, options: { readonly json: boolean }, output: CommandOutput): Promise<void> {
  const { name: called, text, source, endOfTurn } = await findTemplate(application, name, {});
  const report = checkTemplate({ name: called, text, source, endOfTurn });
  if (options.json) output.line(JSON.stringify(report, null, 2));
  else for (const line of describe(report)) output.line(line);
}

const EXTENSIONS: Readonly<Record<Extension, string>> = {
  extends: 'extends: one row',
  breaks: 'breaks: a row of its own',
  refused: 'refused by the template',
};

function describe(report: TemplateReport): string[] {
  const quoted = (text: string | undefined): string => (text === undefined ? 'none found' : JSON.stringify(text));
  return table([
    ['template', report.name],
    ['after a tool result', EXTENSIONS[report.afterResult]],
    ['after a question', EXTENSIONS[report.afterQuestion]],
    ['  with reasoning', `${EXTENSIONS[report.reasoningAfterResult]} (result), ${EXTENSIONS[report.reasoningAfterQuestion]} (question)`],
    ['causes', report.causes.join('; ') || 'none'],
    ['generation prompt', quoted(report.generationPrompt)],
    ['stop token', quoted(report.endOfTurn)],
    ['  written behind it', quoted(report.afterEndOfTurn)],
    ['tools', report.toolsShown ? 'shown' : 'not shown'],
    ['masks', report.masks ? 'generation blocks' : 'none'],
  ]);
}
