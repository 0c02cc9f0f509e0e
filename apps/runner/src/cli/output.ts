/** Where a command writes; tests hand in their own. */
export interface CommandOutput {
  line(text: string): void;
  /** For people: progress, warnings and errors. */
  note(text: string): void;
  readonly isTerminal: boolean;
}

export const processOutput: CommandOutput = {
  line: (text) => { process.stdout.write(`${text}\n`); },
  note: (text) => { process.stderr.write(`${text}\n`); },
  isTerminal: process.stdout.isTTY,
};

/** Rows of cells as aligned columns; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => { widths[column] = Math.max(widths[column] ?? 0, cell.length); });
  return rows.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ').trimEnd());
}
