import { AgentError, type Plugin, type Recipe, type RecipeRun } from '@turnwright/contracts';
import { redactSession, redactText } from '@turnwright/sessions';
import type { Application } from '../composition/application.js';
import { discoverInputs } from '../replay/discover-inputs.js';
import { sha256Of, turnwrightVersion, type Manifest } from '../replay/manifest.js';
import { writeOutput } from '../replay/output-run.js';
import { createProgress } from '../replay/progress.js';
import { loadServices, type LoadedServices } from '../replay/recipe-services.js';
import { Replay, type ReplayedFile } from '../replay/replay.js';
import { describeSummary, type ReplaySummary } from '../replay/summary.js';
import type { CommandOutput } from './output.js';
import { parseRecipeOptions } from './recipe-options.js';
import { suppliedContext } from './supplied-context.js';

export interface ReplayOptions {
  readonly recipe: string;
  readonly tokenizer: string;
  readonly out: string;
  readonly template?: string;
  readonly server: string;
  readonly now?: string;
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
  readonly redact?: boolean;
}

/** `turnwright replay PATH...`: sessions in, samples out. The exit code: 0, or 1 when files were refused. */
export async function replayCommand(application: Application, plugins: readonly Plugin[], paths: readonly string[], options: ReplayOptions, output: CommandOutput): Promise<0 | 1> {
  const started = performance.now();
  const recipe = application.recipes.get(options.recipe);
  const exporter = application.exporters.get(options.format);
  const inputs = await discoverInputs(paths, options.out);
  if (inputs.length === 0) throw noSessions(paths, 'no file');
  const recipeOptions = parseRecipeOptions(recipe, options);
  const loaded = await loadServices(application, options);
  const run = buildRecipe(recipe, recipeOptions, loaded);
  const supply = await suppliedContext(options);
  const redaction = options.redact === true ? { session: redactSession, text: redactText } : undefined;
  const given = { plugins: await hashedPlugins(plugins, options), supplements: await hashedSupplements(options) };
  const { result, samplesFiles } = await writeOutput({
    directory: options.out,
    openSink: () => exporter.open(options.out, { rowsPerFile: options.rowsPerFile }),
    work: async (sink, ledger) => {
      const progress = createProgress(inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), process.stderr.isTTY && options.json !== true);
      const replay = new Replay(application, { name: recipe.name, run }, sink, ledger, progress, redaction === undefined ? { session: supply, path: (path) => path } : { session: (session) => redaction.session(supply(session)), path: redaction.text });
      try {
        const files: ReplayedFile[] = [];
        for (const input of inputs) files.push(await replay.file(input));
        if (files.every(({ status }) => status === 'skipped')) throw noSessions(paths, `${String(files.length)} files that no reader recognises`);
        return { replay, files, hashed: await hashedInputs(files) };
      } finally {
        progress.end();
      }
    },
    manifest: ({ replay, hashed }, names) => manifestOf({ recipe, recipeOptions, loaded, options, given, inputs: redaction === undefined ? hashed : hashed.map((input) => ({ ...input, file: redaction.text(input.file) })), samplesFiles: names, replay }),
  });
  const summary = summarise(result.replay, result.files, { out: options.out, samplesFiles, loaded, seconds: (performance.now() - started) / 1000 });
  if (options.json === true) output.line(JSON.stringify(summary));
  else for (const line of describeSummary(summary)) output.line(line);
  return summary.files.refused > 0 ? 1 : 0;
}

function buildRecipe(recipe: Recipe, options: unknown, loaded: LoadedServices): RecipeRun {
  try {
    return recipe.build(options, loaded.services);
  } catch (cause) {
    if (cause instanceof AgentError) throw cause;
    throw new AgentError('plugin-failed', `Recipe "${recipe.name}" failed while being built: ${cause instanceof Error ? cause.message : String(cause)}.`, { fields: { recipe: recipe.name }, cause });
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
    byReader: replay.byReader(),
    parsers: formats.kind === 'none' ? `none (${formats.reason})` : `${formats.format.name} + ${formats.reasoning.name} (${formats.reason})`,
    seconds: rest.seconds,
  };
}

async function hashedInputs(files: readonly ReplayedFile[]): Promise<Manifest['inputs']> {
  const inputs: Manifest['inputs'][number][] = [];
  for (const { file, reader, refusal } of files) inputs.push({ file: file.path, bytes: file.sizeBytes, sha256: refusal?.code === 'unreadable-file' ? null : await sha256Of(file.path), reader });
  return inputs;
}

async function hashedPlugins(plugins: readonly Plugin[], options: ReplayOptions): Promise<Manifest['plugins']> {
  return Promise.all(plugins.map(async ({ name }, index) => {
    const specifier = options.plugin[index] ?? name;
    return { specifier, name, sha256: await sha256Of(specifier).catch(() => null) };
  }));
}

async function hashedSupplements(options: ReplayOptions): Promise<Manifest['supplements']> {
  const files = [['system', options.system], ['tools', options.tools], ['reward', options.reward]] as const;
  const hashed = await Promise.all(files.map(async ([option, file]) => (file === undefined ? [] : [{ option, file, sha256: await sha256Of(file).catch(() => null) }])));
  // A reward may be a number.
  return hashed.flat().flatMap(({ sha256, ...rest }) => (sha256 === null ? [] : [{ ...rest, sha256 }]));
}

interface ManifestParts {
  readonly recipe: Recipe;
  readonly recipeOptions: unknown;
  readonly loaded: LoadedServices;
  readonly options: ReplayOptions;
  readonly given: Pick<Manifest, 'plugins' | 'supplements'>;
  readonly inputs: Manifest['inputs'];
  readonly samplesFiles: readonly string[];
  readonly replay: Replay;
}

function manifestOf({ recipe, recipeOptions, loaded, options, given, inputs, samplesFiles, replay }: ManifestParts): Manifest {
  const { tokenizer, template, formats } = loaded;
  return {
    turnwright: turnwrightVersion(),
    recipe: { name: recipe.name, options: recipeOptions },
    tokenizer: { name: tokenizer.name, fingerprint: tokenizer.fingerprint },
    template: { name: template.name, server: options.server, now: options.now ?? null, fingerprint: template.fingerprint, source: template.source },
    parsers: formats.kind === 'none' ? null : { toolCall: formats.format.name, reasoning: formats.reasoning.name, reason: formats.reason },
    format: options.format,
    rowsPerFile: options.rowsPerFile,
    redacted: options.redact === true,
    ...given,
    inputs,
    files: samplesFiles,
    totals: { ...replay.totals.summary(), byReader: replay.byReader(), samples: replay.samples, tokens: replay.outputTokens },
  };
}
