import type { ToolFormat } from '@turnwright/contracts';
import { writeCalls } from '@turnwright/parsing';
import type { Application } from '../composition/application.js';
import { table, type CommandOutput } from './output.js';

const EXAMPLE = { name: 'get_weather', arguments: '{"city": "Oslo", "days": 3}' };
/** Tag formats type values by the schema. */
const EXAMPLE_TOOL = { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } } };

/** `turnwright formats [NAME]`: what is there, or one format with a written call. */
export function showFormats(application: Application, name: string | undefined, options: { readonly json: boolean }, output: CommandOutput): void {
  const formats = name === undefined ? application.formats.values : [application.formats.get(name)];
  const described = formats.map((format) => ({ name: format.name, aliases: format.aliases, body: bodyKind(format), reasoning: format.reasoning, models: format.models, source: format.source, owner: application.formats.ownerOf(format.name) ?? '', example: writeCalls(format, [EXAMPLE], [EXAMPLE_TOOL]) }));
  if (options.json) output.line(JSON.stringify(name === undefined ? described : described[0], null, 2));
  else if (name === undefined) {
    for (const row of table([['NAME', 'BODY', 'REASONING', 'ALIASES', 'MODELS'], ...described.map((format) => [format.name, format.body, format.reasoning, format.aliases.join(', '), format.models.join(', ')])])) output.line(row);
    output.line('');
    for (const row of table([['REASONING', 'OPENS', 'CLOSES', 'ALIASES'], ...application.reasoning.values.map((format) => [format.name, format.open[0]?.text.trim() ?? '–', format.close[0]?.text ?? '–', format.aliases.join(', ')])])) output.line(row);
  } else {
    for (const format of described) {
      for (const row of table([['name', format.name], ['aliases', format.aliases.join(', ')], ['models', format.models.join(', ')], ['body', format.body], ['reasoning', format.reasoning], ['source', format.source], ['from', format.owner]])) output.line(row);
      output.line(`\n${format.example}`);
    }
  }
}

const BODIES = { pairs: 'tags', 'nested-tags': 'tags', 'json-call': 'json', 'json-arguments': 'json', 'python-arguments': 'python', 'gemma-arguments': 'gemma', 'text-argument': 'text', 'tool-tags': 'tags', custom: 'custom' } as const;

function bodyKind(format: ToolFormat): string {
  for (const step of format.call) if (step.kind === 'body') return BODIES[step.codec.kind];
  return 'json';
}
