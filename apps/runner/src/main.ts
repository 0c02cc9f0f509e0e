import 'reflect-metadata';
import { processOutput } from './cli/output.js';
import { runCommandLine } from './cli/program.js';

// A reader that closes early (`turnwright formats | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => { process.exit(error.code === 'EPIPE' ? 0 : 3); });
process.exitCode = await runCommandLine(process.argv.slice(2), processOutput);
