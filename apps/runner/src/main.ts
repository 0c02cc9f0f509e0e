import 'reflect-metadata';
import { processOutput } from './cli/output.js';
import { runCommandLine } from './cli/program.js';

// A reader that closes early (`turnwright formats | head`) is no error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', (error: NodeJS.ErrnoException) => { process.exit(error.code === 'EPIPE' ? Number(process.exitCode ?? 0) : 3); });
process.exitCode = await runCommandLine(process.argv.slice(2), processOutput);
