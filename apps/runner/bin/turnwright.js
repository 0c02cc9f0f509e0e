#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const entry = new URL('../dist/main.js', import.meta.url);
if (existsSync(fileURLToPath(entry))) await import(entry.href);
else {
  process.stderr.write('turnwright: it is not built yet. Run: npm run build\n');
  process.exitCode = 3;
}
