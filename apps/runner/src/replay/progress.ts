import { SingleBar } from 'cli-progress';

/** Says how far a run is: in bytes of input. */
export interface Progress {
  advance(bytes: number, file: string): void;
  end(): void;
}

/** A bar on a terminal's standard error; nothing elsewhere. */
export function createProgress(totalBytes: number, isTerminal: boolean): Progress {
  if (!isTerminal) return { advance: () => undefined, end: () => undefined };
  const bar = new SingleBar({ format: '{bar} {percentage}% | {value}/{total} MB | ETA {eta_formatted} | {file}', stream: process.stderr, hideCursor: true, barsize: 28, clearOnComplete: true });
  let bytes = 0;
  bar.start(megabytes(totalBytes), 0, { file: '' });
  return {
    advance(read, file) {
      bytes += read;
      bar.update(megabytes(bytes), { file });
    },
    end: () => { bar.stop(); },
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
