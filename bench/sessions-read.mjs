// One reading in a process of its own: node bench/sessions-read.mjs reader|lines FILE; prints {seconds, megabytes, calls} as JSON.
import { createReadStream, readFileSync } from 'node:fs';

const [how, file] = process.argv.slice(2);

async function withReader() {
  const { detectReader, openSourceFile, sessionReaders } = await import('@turnwright/sessions');
  const source = await openSourceFile(file);
  const reader = detectReader(sessionReaders, await source.slice(0, Math.min(1 << 16, source.sizeBytes)), file);
  let calls = 0;
  for await (const session of reader.read(source, { seenReplies: new Set() })) calls += session.calls.length;
  return calls;
}

/** What nobody who reads JSON lines can avoid. */
async function lines() {
  let count = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    let start = 0;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (end > start && typeof JSON.parse(bytes.toString('utf8', start, end)) === 'object') count++;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  return count;
}

const started = performance.now();
const calls = await (how === 'reader' ? withReader() : lines());
const seconds = (performance.now() - started) / 1000;
// The peak of this process: maxRSS counts the parent's at the fork on some systems.
const status = (() => { try { return readFileSync('/proc/self/status', 'utf8'); } catch { return ''; } })();
const megabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS) / 1024;
console.log(JSON.stringify({ seconds, megabytes, calls }));
