import { Buffer } from 'node:buffer';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Session } from '@turnwright/contracts';
import { describe, expect, it } from 'vitest';
import { answers, asks, meta, rollout } from './codex/rollout.fixture.js';
import { sessionReaders } from './plugin.js';
import { readSessions } from './read-sessions.js';
import { openSourceFile } from './source-file.js';

async function readBytes(bytes: Uint8Array): Promise<Session[]> {
  const directory = await mkdtemp(join(tmpdir(), 'source-'));
  try {
    await writeFile(join(directory, 'x'), bytes);
    const sessions: Session[] = [];
    for await (const session of readSessions(sessionReaders, await openSourceFile(join(directory, 'x')), { seenReplies: new Set() })) sessions.push(session);
    return sessions;
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('compressed files', () => {
  const content = rollout(meta('s'), asks('q'), answers('A'), asks('r'), answers('B'));
  it('of gzip are read, and cut ones as far as they go', async () => {
    const packed = gzipSync(Buffer.from(content));
    expect((await readBytes(packed))[0]?.calls).toHaveLength(2);
    expect((await readBytes(packed.subarray(0, packed.length - 12)))[0]?.calls.length).toBeGreaterThan(0);
  });
  it('of Zstandard are read or refused by name', async () => {
    // because yoetz#418: archived rollouts were silently skipped
    const [session] = await readBytes(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0]));
    expect(session?.diagnostics).toMatchObject([{ code: expect.stringMatching(/compressed-file|unknown-session-format/) }]);
  });
});
