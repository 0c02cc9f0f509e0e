import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '@turnwright/contracts';
import { answerSessionsRequest } from './conformance.js';
import { sessionReaders } from './plugin.js';
import { readSessions } from './read-sessions.js';
import { openSourceFile } from './source-file.js';

const SHARED = join(import.meta.dirname, '../../../../shared');
const CONFORMANCE = join(SHARED, 'conformance/sessions');
const REAL = join(SHARED, 'sessions/real/claude-code');
const present = existsSync(CONFORMANCE) && existsSync(REAL);
if (!present) console.log(`Skipped: ${SHARED} is not here; it holds the conformance inputs and real sessions.`);

const expected = present ? readFileSync(join(CONFORMANCE, 'EXPECTED.tsv'), 'utf8').split('\n').map((line) => line.split('\t')).filter(([file]) => file !== undefined && /\.jsonl?$/.test(file)) : [];

describe.skipIf(!present)('conformance inputs', () => {
  it.each(expected.map(([file, , calls, right]) => ({ file: file ?? '', calls: Number(calls), right })))('$file: $right', async ({ file, calls }) => {
    const answer = await answerSessionsRequest({ id: file, files: [join(CONFORMANCE, file)] });
    expect(answer.calls).toHaveLength(calls);
    for (const each of answer.calls) expect(JSON.stringify(each)).toBe(Buffer.from(JSON.stringify(each)).toString());
  });
  it('two files of one corpus: only the new reply trains in the second', async () => {
    const answer = await answerSessionsRequest({ id: 'x', files: ['cc_plain.jsonl', 'cc_file_b_resumed.jsonl'].map((file) => join(CONFORMANCE, file)) });
    expect(answer.calls.filter((each) => each.loss).map((each) => each.id)).toEqual(['m1', 'm2', 'm9']);
  });
  it('glued records give what the whole file gives', async () => {
    const [plain, glued] = await Promise.all(['cc_plain.jsonl', 'cc_glued.jsonl'].map((file) => answerSessionsRequest({ id: 'x', files: [join(CONFORMANCE, file)] })));
    expect(glued?.calls).toEqual(plain?.calls);
    expect(glued?.diagnostics).toHaveLength(1);
  });
});

describe.skipIf(!present)('real Claude Code files', () => {
  it.each(present ? readdirSync(REAL) : [])('%s is read, every fault has a place, parents stand before children', async (file) => {
    const sessions: Session[] = [];
    for await (const session of readSessions(sessionReaders, await openSourceFile(join(REAL, file)), { seenReplies: new Set() })) sessions.push(session);
    for (const session of sessions) {
      for (const fault of session.diagnostics) expect(fault).toMatchObject({ code: expect.stringMatching(/^[a-z0-9-]+$/), byteOffset: expect.any(Number) });
      const known = new Set<string>();
      for (const call of session.calls) {
        expect(known.has(call.id)).toBe(false);
        if (call.parentId !== undefined) expect(known.has(call.parentId)).toBe(true);
        known.add(call.id);
      }
    }
  });
});
