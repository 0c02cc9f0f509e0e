import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '@turnwright/contracts';
import { promptMessages } from '@turnwright/contracts';
import { sessionReaders } from './plugin.js';
import { readSessions } from './read-sessions.js';
import { openSourceFile } from './source-file.js';

const REAL = join(import.meta.dirname, '../../../../shared/sessions/real');
const present = existsSync(REAL);
if (!present) console.log('Skipped: the real sessions are not here (shared/sessions/real).');
const files = present ? readdirSync(REAL).flatMap((agent) => readdirSync(join(REAL, agent)).map((name) => join(REAL, agent, name))).filter((path) => statSync(path).isFile()) : [];

/** What an agent's folder holds is read by these; other files in it are refused with a reason. */
const READERS: Readonly<Record<string, string>> = {
  'atif': 'atif', 'claude-code': 'claude-code', 'codex': 'codex', 'copilot-cli': 'copilot-cli', 'gemini-cli': 'gemini-cli', 'kimi': 'kimi', 'opencode': 'opencode', 'pi': 'pi', 'qwen-code': 'qwen-code', 'swe-agent': 'swe-agent',
};

describe.skipIf(!present)('real files', () => {
  it.each(files.map((path) => [`${basename(join(path, '..'))}/${basename(path)}`, path]))('%s is read or refused with a reason', async (_name, path) => {
    const sessions: Session[] = [];
    for await (const session of readSessions(sessionReaders, await openSourceFile(path), { seenReplies: new Set() })) sessions.push(session);
    const calls = sessions.flatMap((session) => session.calls);
    const diagnostics = sessions.flatMap((session) => session.diagnostics);
    if (statSync(path).size > 0 && calls.length === 0) expect(diagnostics.length).toBeGreaterThan(0);
    const reader = READERS[basename(join(path, '..'))];
    for (const session of sessions) {
      if (reader !== undefined && session.calls.length > 0) expect(session.reader).toBe(reader);
      for (const fault of session.diagnostics) expect(fault).toMatchObject({ code: expect.stringMatching(/^[a-z0-9-]+$/), byteOffset: expect.any(Number) });
      expect(new Set(session.calls.map((call) => call.id)).size).toBe(session.calls.length);
      const known = new Set<string>();
      for (const call of session.calls) {
        if (call.parentId !== undefined) expect(known.has(call.parentId)).toBe(true);
        known.add(call.id);
        expect(call.loss).toBe(call.lossReason === undefined);
        expect(promptMessages(call.prompt.head)).toHaveLength(call.prompt.head?.depth ?? 0);
      }
    }
  });
});
