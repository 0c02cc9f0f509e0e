import { readFile } from 'node:fs/promises';
import { AgentError, type Plugin, type Recipe, type SampleSink, type Session, type ToolDefinition } from '@turnwright/contracts';
import type { z } from 'zod';
import type { Application } from '../composition/application.js';
import { discoverInputs, type InputFile } from '../replay/discover-inputs.js';
import { LineFile } from '../replay/line-file.js';
import { sha256Of, turnwrightVersion, writeManifest, type Manifest } from '../replay/manifest.js';
import { LEDGER, prepareOutput } from '../replay/output-directory.js';
import { createProgress } from '../replay/progress.js';
import { loadServices, type LoadedServices } from '../replay/recipe-services.js';
import { Replay, type ReplayedFile } from '../replay/replay.js';
import { describeSummary, type ReplaySummary } from '../replay/summary.js';
import { readTools } from './parse-command.js';
import type { CommandOutput } from './output.js';

export interface ReplayOptions {
  readonly recipe: string;
  readonly tokenizer: string;
  readonly out: string;
  readonly template?: string;
  readonly format: string;
  readonly policy?: string;
  readonly reward?: string;
  readonly toolCallParser: string;
  readonly reasoningParser: string;
  readonly set: readonly string[];
  readonly system?: string;
  readonly tools?: string;
  readonly rowsPerFile: number;
  readonly plugin: readonly string[];
  readonly json?: boolean;
}

/** `turnwright replay PATH...`: sessions in, samples out. The exit code: 0, or 1 when files were refused. */
export async function replayCommand(application: Application, plugins: readonly Plugin[], paths: readonly string[], options: ReplayOptions, output: CommandOutput): Promise<0 | 1> {
  const started = performance.now();
  const recipe = application.recipes.get(options.recipe);
  const exporter = application.exporters.get(options.format);
  const inputs = await discoverInputs(paths);
  if (inputs.length === 0) throw noSessions(paths, 'no file');
  const loaded = await loadServices(application, options);
  const recipeOptions = parseRecipeOptions(recipe, options);
  const run = recipe.build(recipeOptions, loaded.services);
  const supply = await supplied(options);
  await prepareOutput(options.out);
  const result = await withOutput(options.out, () => exporter.open(options.out, { rowsPerFile: options.rowsPerFile }), async (sink, ledger) => {
    const progress = createProgress(inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), process.stderr.isTTY && options.json !== true);
    const replay = new Replay(application, { name: recipe.name, run }, sink, ledger, progress, supply);
    try {
      const files: ReplayedFile[] = [];
      for (const input of inputs) files.push(await replay.file(input));
      if (files.every(({ status }) => status === 'skipped')) throw noSessions(paths, `${String(files.length)} files that no reader recognises`);
      return { replay, files };
    } finally {
      progress.end();
    }
  });
  const summary = summarise(result.replay, result.files, { out: options.out, samplesFiles: result.samplesFiles, loaded, seconds: (performance.now() - started) / 1000 });
  await writeManifest(options.out, await manifestOf({ recipe, recipeOptions, loaded, options, plugins, files: result.files, samplesFiles: result.samplesFiles, replay: result.replay }));
  if (options.json === true) output.line(JSON.stringify(summary));
  else for (const line of describeSummary(summary)) output.line(line);
  return summary.files.refused > 0 ? 1 : 0;
}

/** Runs `work` with the outputs open; closes them when it is done and leaves nothing of them when it fails. */
async function withOutput<T>(directory: string, openSink: () => Promise<SampleSink>, work: (sink: SampleSink, ledger: LineFile) => Promise<T>): Promise<T & { readonly samplesFiles: readonly string[] }> {
  const sink = await openSink();
  const ledger = await LineFile.create(directory, LEDGER);
  const abort = async (): Promise<void> => { await Promise.allSettled([sink.abort(), ledger.abort()]); };
  const interrupted = (): void => { void abort().finally(() => process.exit(130)); };
  process.once('SIGINT', interrupted);
  try {
    const result = await work(sink, ledger);
    const samplesFiles = await sink.close();
    await ledger.close();
    return { ...result, samplesFiles };
  } catch (error) {
    await abort();
    throw error;
  } finally {
    process.off('SIGINT', interrupted);
  }
}

/** The recipe's own options: `--set key=value`, and the flags that most recipes share. throws AgentError `bad-option` */
function parseRecipeOptions(recipe: Recipe, options: ReplayOptions): unknown {
  const given: Record<string, string> = {};
  for (const pair of options.set) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new AgentError('bad-option', `Option --set ${pair}: expected KEY=VALUE.`, { fields: { pair } });
    given[pair.slice(0, at)] = pair.slice(at + 1);
  }
  for (const [key, value] of [['policy', options.policy], ['reward', options.reward]] as const) {
    if (value === undefined) continue;
    if (key in given && given[key] !== value) throw new AgentError('conflicting-options', `Options contradict each other: --${key} ${value} and --set ${key}=${String(given[key])}.`, { fields: { key } });
    given[key] = value;
  }
  const parsed = recipe.options.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AgentError('bad-option', `Recipe "${recipe.name}": option ${issue?.path.join('.') || '(unknown)'}: ${issue?.message ?? 'wrong value'}. \`turnwright recipes ${recipe.name}\` shows its options.`, { fields: { recipe: recipe.name } });
  }
  return parsed.data;
}

/** System prompt and tools that the user knows and the session does not. */
async function supplied(options: ReplayOptions): Promise<(session: Session) => Session> {
  const system = options.system === undefined ? undefined : await readSystem(options.system);
  const tools: readonly ToolDefinition[] | undefined = options.tools === undefined ? undefined : await readTools(options.tools);
  return (session) => ({
    ...session,
    ...(system !== undefined && session.systemPrompt.status === 'unknown' ? { systemPrompt: { status: 'supplied', value: system } } : {}),
    ...(tools !== undefined && session.tools.status === 'unknown' ? { tools: { status: 'supplied', value: tools } } : {}),
  });
}

async function readSystem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AgentError('missing-input', `System prompt ${path}: expected a readable file.`, { fields: { path }, cause });
  }
}

function noSessions(paths: readonly string[], found: string): AgentError {
  return new AgentError('no-sessions', `Input ${paths.join(', ')}: expected recorded sessions, found ${found}.`, { fields: { paths } });
}

function summarise(replay: Replay, files: readonly ReplayedFile[], rest: { readonly out: string; readonly samplesFiles: readonly string[]; readonly loaded: LoadedServices; readonly seconds: number }): ReplaySummary {
  const { formats } = rest.loaded;
  const status = (wanted: ReplayedFile['status']): number => files.filter((file) => file.status === wanted).length;
  return {
    ...replay.totals.summary(),
    out: rest.out,
    files: { read: status('read'), refused: status('refused'), skipped: status('skipped') },
    samples: replay.samples,
    outputTokens: replay.outputTokens,
    refused: files.flatMap(({ file, refusal }) => (refusal === undefined ? [] : [{ file: file.path, line: 0, byteOffset: 0, ...refusal }])),
    warnings: Object.fromEntries([...replay.warnings].sort()),
    samplesFiles: rest.samplesFiles,
    parsers: formats === undefined ? 'none (the template shows no known format)' : `${formats.format.name} + ${formats.reasoning.name} (${formats.reason})`,
    seconds: rest.seconds,
  };
}

async function manifestOf(made: { readonly recipe: Recipe; readonly recipeOptions: z.output<z.ZodType>; readonly loaded: LoadedServices; readonly options: ReplayOptions; readonly plugins: readonly Plugin[]; readonly files: readonly ReplayedFile[]; readonly samplesFiles: readonly string[]; readonly replay: Replay }): Promise<Manifest> {
  const { loaded, options } = made;
  const input = async ({ path, sizeBytes }: InputFile, reader: string | null): Promise<Manifest['inputs'][number]> => ({ file: path, bytes: sizeBytes, sha256: await sha256Of(path), reader });
  const inputs: Manifest['inputs'][number][] = [];
  for (const { file, reader } of made.files) inputs.push(await input(file, reader));
  return {
    turnwright: turnwrightVersion(),
    recipe: { name: made.recipe.name, options: made.recipeOptions },
    tokenizer: { name: loaded.tokenizer.name, fingerprint: loaded.tokenizer.fingerprint },
    template: { name: loaded.template.name, fingerprint: loaded.template.fingerprint, source: loaded.template.source },
    parsers: loaded.formats === undefined ? null : { toolCall: loaded.formats.format.name, reasoning: loaded.formats.reasoning.name, reason: loaded.formats.reason },
    format: options.format,
    plugins: made.plugins.map((plugin, index) => ({ specifier: options.plugin[index] ?? plugin.name, name: plugin.name })),
    inputs,
    files: made.samplesFiles,
    totals: { ...made.replay.totals.summary(), samples: made.replay.samples, tokens: made.replay.outputTokens },
  };
}
