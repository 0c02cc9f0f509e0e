import type { SampleSink } from '@turnwright/contracts';
import { LineFile } from './line-file.js';
import { writeManifest, type Manifest } from './manifest.js';
import { abandonOutput, LEDGER, prepareOutput } from './output-directory.js';

/** What a run does between its first and its last file. */
export interface OutputRun<T> {
  readonly directory: string;
  readonly openSink: () => Promise<SampleSink>;
  readonly work: (sink: SampleSink, ledger: LineFile) => Promise<T>;
  readonly manifest: (result: T, samplesFiles: readonly string[]) => Manifest;
}

/** Runs `work` with the outputs open. They get their names when it is done, the manifest last; when it fails or is interrupted, nothing stays. */
export async function writeOutput<T>({ directory, openSink, work, manifest }: OutputRun<T>): Promise<{ readonly result: T; readonly samplesFiles: readonly string[] }> {
  await prepareOutput(directory);
  const open: { abort(): Promise<void> }[] = [];
  const abort = async (): Promise<void> => {
    await Promise.allSettled(open.map((output) => output.abort()));
    await abandonOutput(directory);
  };
  // 128 + the signal's number, as shells have it.
  let ending: Promise<never> | undefined;
  const interrupted = (signal: NodeJS.Signals): void => {
    ending ??= abort().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const ledger = await LineFile.create(directory, LEDGER);
    open.push(ledger);
    const sink = await openSink();
    open.push(sink);
    const result = await work(sink, ledger);
    const samplesFiles = await sink.close();
    await ledger.close();
    await writeManifest(directory, manifest(result, samplesFiles));
    return { result, samplesFiles };
  } catch (error) {
    // The work that goes on while the outputs are taken away meets closed ones; that is no error of its own.
    if (ending !== undefined) await ending;
    await abort();
    throw error;
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}
