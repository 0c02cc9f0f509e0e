import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne } from '../session.fixture.js';
import { claudeCodeReader } from './reader.js';
import { call, lines, other, reply, result, text, thinking, user } from './record.fixture.js';

const PLAIN = [user('u1', null, 'list'), reply('a1', 'u1', 'm1', call('t1')), user('u2', 'a1', [result('t1', 'a.txt')]), reply('a2', 'u2', 'm2', text('One.'))] as const;

describe('damaged files of Claude Code', () => {
  it('glued records lose nothing', async () => {
    const whole = await readOne(claudeCodeReader, lines(...PLAIN));
    const glued = await readOne(claudeCodeReader, lines(PLAIN[0], PLAIN[1] + PLAIN[2], PLAIN[3]));
    expect(glued.calls.map((each) => promptOf(glued, each.id))).toEqual(whole.calls.map((each) => promptOf(whole, each.id)));
    expect(glued.diagnostics).toMatchObject([{ code: 'glued-records', line: 1 }]);
  });
  it('a cut record costs the calls that depend on it, and no other', async () => {
    const branch = [user('u9', 'a1', 'other way'), reply('a9', 'u9', 'm9', text('Else.'))];
    const session = await readOne(claudeCodeReader, lines(PLAIN[0], PLAIN[1], PLAIN[2].slice(0, 40) + PLAIN[3], user('u3', 'a2', 'more'), reply('a3', 'u3', 'm3', text('Yes.')), ...branch));
    expect(session.calls.map((each) => [each.id, each.loss, each.lossReason])).toEqual([['m1', true, undefined], ['m2', false, 'prompt-incomplete'], ['m3', false, 'prompt-incomplete'], ['m9', true, undefined]]);
    expect(callOf(session, 'm2').prompt).toMatchObject({ status: 'unknown-prefix', reasons: ['damaged-record', 'system-prompt-unknown', 'tools-unknown'] });
    expect(session.diagnostics.map((item) => item.code)).toEqual(['cut-record']);
  });
  it('compaction ends the damage', async () => {
    const session = await readOne(claudeCodeReader, lines(
      PLAIN[0], PLAIN[1], PLAIN[2].slice(0, 40) + PLAIN[3],
      other('c1', null, 'system', { subtype: 'compact_boundary' }), user('u5', 'c1', 'Summary', { isCompactSummary: true }), reply('a5', 'u5', 'm5', text('Go.')),
    ));
    expect(callOf(session, 'm5').loss).toBe(true);
  });
  it('a cut progress record costs nothing', async () => {
    const progress = other('p1', 'u2', 'progress', { data: { type: 'bash_progress' } });
    const session = await readOne(claudeCodeReader, lines(PLAIN[0], PLAIN[1], PLAIN[2], `${progress.slice(0, -20)}${reply('a2', 'p1', 'm2', text('One.'))}`));
    expect(callOf(session, 'm2')).toMatchObject({ loss: true, parentId: 'm1' });
  });
  it('a reply that lost its next block is not trained', async () => {
    const first = reply('a1', 'u1', 'm1', thinking('hm'));
    const session = await readOne(claudeCodeReader, lines(PLAIN[0], first, reply('b1', 'a1', 'm1', text('x')).slice(0, 60)).slice(0, -1));
    expect(callOf(session, 'm1')).toMatchObject({ loss: false, lossReason: 'damaged-reply' });
  });
  it('a truncated tail loses only itself', async () => {
    const session = await readOne(claudeCodeReader, lines(...PLAIN.slice(0, 3)) + PLAIN[3].slice(0, 50));
    expect(session.calls.map((each) => [each.id, each.finishReason])).toEqual([['m1', 'tool-calls']]);
    expect(session.diagnostics.map((item) => item.code)).toEqual(['truncated-tail']);
  });
  it('a missing parent makes the prefix unknown', async () => {
    const session = await readOne(claudeCodeReader, lines(user('u1', 'gone', 'b'), reply('a1', 'u1', 'm1', text('B'))));
    expect(callOf(session, 'm1').prompt.status).toBe('unknown-prefix');
    expect(session.diagnostics).toMatchObject([{ code: 'missing-parent', line: 0, byteOffset: 0 }]);
  });
  it('parents in a circle end', async () => {
    const session = await readOne(claudeCodeReader, lines(user('u1', 'a1', 'x'), reply('a1', 'u1', 'm1', text('A')), user('u2', 'u2', 'self'), reply('a2', 'u2', 'm2', text('B'))));
    expect(session.calls.map((each) => each.prompt.status)).toEqual(['unknown-prefix', 'unknown-prefix']);
  });
  it('an empty file has no sessions', async () => {
    expect(await readAll(claudeCodeReader, memoryFile(''))).toEqual([]);
  });
  it('a long session is read without deep recursion', async () => {
    const records: string[] = [];
    for (let turn = 0; turn < 6000; turn++) records.push(user(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, 'q'), reply(`a${turn}`, `u${turn}`, `m${turn}`, text('r')));
    const session = await readOne(claudeCodeReader, lines(...records));
    expect(callOf(session, 'm5999').prompt.head?.depth).toBe(11_999);
  });
  it('where chunks end changes nothing', async () => {
    const seed = 20261130;
    console.log(`chunk border property seed ${seed}`);
    const content = lines(PLAIN[0], PLAIN[1] + PLAIN[2], PLAIN[3], user('ü', 'a2', 'é\u2028🙂'), '\0\0', reply('a3', 'ü', 'm3', text('🙂'))) + '{"type":"ass';
    const whole = await readAll(claudeCodeReader, memoryFile(content));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 700 }), async (chunkBytes) => {
        expect(await readAll(claudeCodeReader, memoryFile(content, chunkBytes))).toEqual(whole);
      }),
      { seed, numRuns: 60 },
    );
  });
});
