import { AgentError, type Plugin } from '@turnwright/contracts';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Application } from '../composition/application.js';
import { compose } from '../composition/compose.js';
import { loadPlugin } from '../composition/load-plugin.js';
import { conformanceCommand } from '../conformance/conformance-command.js';
import { inspectCommand, type InspectOptions } from '../inspect/inspect-command.js';
import { turnwrightVersion } from '../replay/manifest.js';
import { showFormats } from './formats-command.js';
import type { CommandOutput } from './output.js';
import { parseCommand, type ParseOptions } from './parse-command.js';
import { showRecipes } from './recipes-command.js';
import { checkTemplateCommand } from './template-command.js';
import { replayCommand, type ReplayOptions } from './replay-command.js';

type Plugins = { readonly application: Application; readonly plugins: readonly Plugin[] };

/** Runs the command line; the result is the exit code. Never throws. */
export async function runCommandLine(argv: readonly string[], output: CommandOutput): Promise<number> {
  const state = { exitCode: 0 };
  const program = createProgram(output, state);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return state.exitCode;
  } catch (error) {
    return reportError(error, argv.includes('--debug'), output);
  }
}

function reportError(error: unknown, debug: boolean, output: CommandOutput): number {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  output.note(error instanceof AgentError ? `turnwright: ${message}` : `turnwright: internal error: ${message} (--debug shows where)`);
  if (debug && error instanceof Error) output.note(error.stack ?? '');
  return error instanceof AgentError ? error.exitCode : 3;
}

function createProgram(output: CommandOutput, state: { exitCode: number }): Command {
  const program = new Command('turnwright')
    .description('Exact token-level training samples from coding-agent sessions')
    .version(turnwrightVersion())
    .option('--plugin <file|package>', 'load a plugin (repeatable; TypeScript too)', collect, [])
    .option('--debug', 'show stack traces')
    .configureOutput({ writeOut: (text) => { output.line(text.trimEnd()); }, writeErr: (text) => { output.note(text.trimEnd()); } })
    .exitOverride()
    .showHelpAfterError('(turnwright --help shows the usage)');
  const load = async (): Promise<Plugins> => {
    const specifiers = program.opts<{ plugin: string[] }>().plugin;
    const plugins: Plugin[] = [];
    for (const specifier of specifiers) plugins.push(await loadPlugin(specifier));
    return { application: compose(plugins), plugins };
  };
  addReplay(program, load, output, state);
  addViews(program, load, output);
  addConformance(program, load);
  return program;
}

function addReplay(program: Command, load: () => Promise<Plugins>, output: CommandOutput, state: { exitCode: number }): void {
  program.command('replay').description('turn recorded sessions into training samples')
    .argument('<paths...>', 'session files, or directories of them')
    .requiredOption('--out <directory>', 'where samples, ledger and manifest go')
    .option('--recipe <name>', 'what to make of a session', 'coding-agent')
    .option('--tokenizer <name>', 'tokenizer of the model to train: a name, a model folder, or a Hugging Face repository in the cache', 'qwen3')
    .option('--template <name>', "chat template: a name, a file, a folder or a repository (default: the tokenizer's own)")
    .option('--server <name>', 'what served the model, since each changes requests before rendering: transformers, sglang or vllm', 'transformers')
    .option('--now <time>', 'what the clock shows to templates that write dates, as 2026-01-15T12:34:56', clock)
    .option('--tool-call-parser <name>', 'as in the server\'s launch command', 'auto')
    .option('--reasoning-parser <name>', 'as in the server\'s launch command', 'auto')
    .option('--policy <name>', 'merge policy: lossless or slime')
    .option('--reward <number|file>', 'reward for every session, or a JSON-lines file of them')
    .option('--format <name>', 'jsonl or parquet', 'jsonl')
    .option('--rows-per-file <count>', 'rows of one samples file', positiveInteger, 10_000)
    .option('--system <file>', 'system prompt, where a session does not hold it')
    .option('--tools <file>', 'tool definitions, where a session does not hold them')
    .option('--redact', 'replace keys, tokens, passwords, e-mail addresses and names of home directories before anything is written')
    .option('--set <key=value>', 'an option of the recipe (repeatable)', collect, [])
    .option('--json', 'print the summary as JSON')
    .action(async (paths: string[], options: Omit<ReplayOptions, 'plugin'>) => {
      const { application, plugins } = await load();
      state.exitCode = await replayCommand(application, plugins, paths, { ...options, plugin: program.opts<{ plugin: string[] }>().plugin }, output);
    });
}

function addViews(program: Command, load: () => Promise<Plugins>, output: CommandOutput): void {
  program.command('inspect').description('show a sample as text, coloured by its loss mask; or the calls of a session')
    .argument('<file>', 'a samples file, or a session file')
    .option('--sample <id|index>', 'which sample', '0')
    .option('--tokenizer <name>', "tokenizer (default: the one in the run's manifest)")
    .option('--html <file>', 'write the session as one page: calls, branches, what is trained and why not')
    .option('--no-color', 'mark trained text with ⟦ ⟧ instead of colour')
    .action(async (file: string, options: InspectOptions) => { await inspectCommand((await load()).application, file, options, output); });
  program.command('parse').description('take a model\'s output apart').argument('[file]', 'a file, or - for standard input')
    .requiredOption('--tool-call-parser <name>', 'as in the server\'s launch command')
    .option('--reasoning-parser <name>', "default: the format's usual partner")
    .option('--tools <file>', 'tool definitions, for types and repairs')
    .option('--prompt-opens-reasoning', 'the prompt ended inside a thought')
    .option('--cut', 'the output was cut by a length limit')
    .option('--json', 'everything, as JSON')
    .action(async (file: string | undefined, options: ParseOptions) => { await parseCommand((await load()).application, file, options, output); });
  program.command('formats').description('list formats, or show one with a written call').argument('[name]').option('--json', 'as JSON')
    .action(async (name: string | undefined, options: { json?: boolean }) => { showFormats((await load()).application, name, { json: options.json ?? false }, output); });
  program.command('template').description('look at chat templates')
    .command('check').description('does a growing conversation extend its prompts, what breaks that, and where a reply ends').argument('<name|file|folder>').option('--json', 'as JSON')
    .action(async (name: string, options: { json?: boolean }) => { await checkTemplateCommand((await load()).application, name, { json: options.json ?? false }, output); });
  program.command('recipes').description('list recipes, or show one with its options').argument('[name]').option('--json', 'as JSON')
    .action(async (name: string | undefined, options: { json?: boolean }) => { showRecipes((await load()).application, name, { json: options.json ?? false }, output); });
}

function addConformance(program: Command, load: () => Promise<Plugins>): void {
  program.command('conformance').description('answer conformance requests: JSON lines in, JSON lines out').argument('<suite>', 'parse, trajectory, sessions, render or tokens')
    .action(async (suite: string) => {
      const { application } = await load();
      await conformanceCommand(application, suite, process.stdin, (line) => new Promise((resolve, reject) => {
        process.stdout.write(`${line}\n`, (error) => { if (error) reject(error); else resolve(); });
      }));
    });
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

function clock(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(value) || Number.isNaN(Date.parse(`${value}Z`))) throw new InvalidArgumentError('expected a time as 2026-01-15T12:34:56.');
  return value;
}

function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number <= 0) throw new InvalidArgumentError('expected a positive integer.');
  return number;
}
