// Runs a suite of this directory: npm run fuzz -- parse --seconds N --seed S
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

const SUFFIX = '.fuzz.mjs';
const suites = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));

/** What is asked for, or what is wrong with it. */
function asked() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } } });
    const [suite = 'parse', ...rest] = positionals;
    if (!suites.includes(suite) || rest.length > 0) return { fault: `Unknown suite "${[...(suites.includes(suite) ? rest : [suite])].join(' ')}". Known: ${suites.join(', ')}.` };
    const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
    if (!(seconds > 0)) return { fault: `--seconds: expected a number above 0, found "${values.seconds}".` };
    if (!Number.isSafeInteger(seed) || seed < 0) return { fault: `--seed: expected a whole number from 0, found "${values.seed}".` };
    return { suite, seconds, seed };
  } catch (error) {
    return { fault: error.message };
  }
}

const { fault, suite, seconds, seed } = asked();
if (fault !== undefined) {
  console.error(fault);
  process.exitCode = 2;
} else {
  const { fuzz } = await import(new URL(`./${suite}${SUFFIX}`, import.meta.url).href);
  process.exitCode = fuzz({ seconds, seed }).failure === undefined ? 0 : 1;
}
