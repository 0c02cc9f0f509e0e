// Lists and runs the suites of this directory: node bench/run.mjs [NAME…]
import { readdirSync } from 'node:fs';

const SUFFIX = '.bench.mjs';
const suites = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length)).sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !suites.includes(name));

if (unknown.length > 0) {
  console.error(`Unknown suite ${unknown.join(', ')}. Known: ${suites.join(', ')}.`);
  process.exitCode = 2;
} else {
  console.log(`suites: ${suites.join(', ')}`);
  for (const name of asked.length > 0 ? asked : suites) {
    console.log(`\n${name}`);
    const { default: bench } = await import(new URL(`./${name}${SUFFIX}`, import.meta.url).href);
    const result = await bench({ log: (line) => { console.log(`  ${line}`); } });
    if (Array.isArray(result)) for (const line of result) console.log(`  ${line}`);
    else if (result?.held === false) process.exitCode = 1;
  }
}
