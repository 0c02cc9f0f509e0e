import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readAll, readOne, memoryFile } from '../session.fixture.js';
import { claudeCodeReader } from './reader.js';
import { call, lines, other, reply, result, text, user } from './record.fixture.js';

const read = (...records: string[]) => readOne(claudeCodeReader, lines(...records));
const SUMMARY = { isCompactSummary: true, isVisibleInTranscriptOnly: true };

describe('context operations of Claude Code', () => {
  it('compaction: the prompt starts again with the summary, which is nobody\'s sample', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', 'm1', text('A')),
      other('c1', null, 'system', { subtype: 'compact_boundary', logicalParentUuid: 'a1', compactMetadata: { trigger: 'auto' } }),
      user('u2', 'c1', 'Summary: A was said.', SUMMARY),
      user('u3', 'u2', 'b'),
      reply('a2', 'u3', 'm2', text('B')),
    );
    expect(promptOf(session, 'm2')).toEqual(['user: Summary: A was said.', 'user: b']);
    expect(callOf(session, 'm2').prompt.head?.parent?.message.parts[0]?.author).toBe('summary');
    expect(callOf(session, 'm2').parentId).toBeUndefined();
    expect(session.operations).toMatchObject([{ kind: 'compaction', callId: 'm2' }]);
  });
  it('compaction: preserved messages stand behind the summary', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', 'm1', call('t1')),
      user('u2', 'a1', [result('t1', 'one')]),
      other('c1', null, 'system', { subtype: 'compact_boundary', compactMetadata: { preservedMessages: { anchorUuid: 'u3', uuids: ['a1', 'u2'] } } }),
      user('u3', 'c1', 'Summary', SUMMARY),
      user('u4', 'u3', 'b'),
      reply('a2', 'u4', 'm2', text('B')),
    );
    expect(promptOf(session, 'm2')).toEqual(['user: Summary', 'assistant: Bash({"command": "t1"})', 'tool: one', 'user: b']);
  });
  it('compaction: a preserved segment is what lies between its ends', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', 'm1', call('t1')),
      user('u2', 'a1', [result('t1', 'one')]),
      other('c1', null, 'system', { subtype: 'compact_boundary', compactMetadata: { preservedSegment: { headUuid: 'a1', anchorUuid: 'u3', tailUuid: 'u2' } } }),
      user('u3', 'c1', 'Summary', SUMMARY),
      reply('a2', 'u3', 'm2', text('B')),
    );
    expect(promptOf(session, 'm2')).toHaveLength(3);
  });
  it('compaction: a result whose call is gone is left out and reported', async () => {
    // because the API refuses it forever (anthropics/claude-code#8484)
    const session = await read(
      other('c1', null, 'system', { subtype: 'compact_boundary' }),
      user('u1', 'c1', 'Summary', SUMMARY),
      user('u2', 'u1', [result('gone', 'late'), text('continue')]),
      reply('a1', 'u2', 'm1', text('ok')),
    );
    expect(promptOf(session, 'm1')).toEqual(['user: Summary', 'user: continue']);
    expect(session.diagnostics).toMatchObject([{ code: 'orphan-tool-result', line: 2 }]);
    expect(callOf(session, 'm1').loss).toBe(true);
  });
  it('microcompaction: listed results are the placeholder in later prompts and whole in earlier ones', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', 'm1', call('t1')),
      user('u2', 'a1', [result('t1', 'long')]),
      reply('a2', 'u2', 'm2', text('A')),
      other('c1', 'a2', 'system', { subtype: 'microcompact_boundary', microcompactMetadata: { compactedToolIds: ['t1'] } }),
      user('u3', 'c1', 'b'),
      reply('a3', 'u3', 'm3', text('B')),
      user('u4', 'a3', 'c'),
      reply('a4', 'u4', 'm4', text('C')),
    );
    expect(promptOf(session, 'm2')[2]).toBe('tool: long');
    expect(promptOf(session, 'm3')[2]).toBe('tool: [Old tool result content cleared]');
    expect(promptOf(session, 'm4')[2]).toBe('tool: [Old tool result content cleared]');
    expect(session.operations).toMatchObject([{ kind: 'cleared-results', callId: 'm3' }]);
  });
  it('edits and retries: branches share what they have in common and are named', async () => {
    const session = await read(
      user('u1', null, 'first'),
      reply('a1', 'u1', 'm1', text('A')),
      user('u2', 'a1', 'left'),
      reply('a2', 'u2', 'm2', text('L')),
      user('u3', 'a1', 'right'),
      reply('a3', 'u3', 'm3', text('R')),
      user('u4', 'a1', 'left'),
      reply('a4', 'u4', 'm4', text('L2')),
    );
    expect(callOf(session, 'm2').prompt.head?.parent).toBe(callOf(session, 'm3').prompt.head?.parent);
    expect(session.calls.map((each) => each.parentId)).toEqual([undefined, 'm1', 'm1', 'm1']);
    expect(session.operations.map((each) => [each.kind, each.callId])).toEqual([['edit', 'm3'], ['retry', 'm4']]);
  });
  it('failed requests leave dead branches, and the live one is whole', async () => {
    // because reading by time mixes them (anthropics/claude-code#81791)
    const failed = (uuid: string, parent: string) => reply(uuid, parent, `e${uuid}`, text('API Error'), { isApiErrorMessage: true }, { model: '<synthetic>' });
    const session = await read(
      user('u0', null, 'hello'), reply('a0', 'u0', 'm0', text('Hi.')),
      user('u1', 'a0', 'fix it'), failed('x1', 'u1'),
      user('u2', 'a0', 'fix it'), failed('x2', 'u2'),
      user('u3', 'a0', 'fix it'), reply('a1', 'u3', 'm1', text('Fixed.')),
    );
    expect(promptOf(session, 'm1')).toEqual(['user: hello', 'assistant: Hi.', 'user: fix it']);
  });
});

describe('copies in Claude Code files', () => {
  it('repeated uuids count once', async () => {
    const records = [user('u1', null, 'a'), reply('a1', 'u1', 'm1', text('A'))];
    const session = await read(...records, ...records, user('u2', 'a1', 'b'), reply('a2', 'u2', 'm2', text('B')));
    expect(session.calls.map((each) => each.id)).toEqual(['m1', 'm2']);
    expect(session.diagnostics).toMatchObject([{ code: 'repeated-records', line: 2 }]);
  });
  it('forked records are context and not calls', async () => {
    const forkedFrom = { forkedFrom: { sessionId: 's0', messageUuid: 'x' } };
    const session = await read(user('u1', null, 'a', forkedFrom), reply('a1', 'u1', 'm1', text('A'), forkedFrom), user('u2', 'a1', 'b'), reply('a2', 'u2', 'm2', text('B')));
    expect(session.calls.map((each) => each.id)).toEqual(['m2']);
    expect(promptOf(session, 'm2')).toEqual(['user: a', 'assistant: A', 'user: b']);
    expect(callOf(session, 'm2').prompt.head?.parent?.message.parts[0]?.author).toBe('copied');
    expect(session.diagnostics).toMatchObject([{ code: 'copied-replies' }]);
  });
  it('a reply that an earlier file holds trains only there', async () => {
    const seen = new Set<string>();
    const shared = [user('u1', null, 'a'), reply('a1', 'u1', 'm1', text('A'))];
    await readOne(claudeCodeReader, lines(...shared), seen);
    const second = await readOne(claudeCodeReader, lines(...shared, user('u2', 'a1', 'b'), reply('a2', 'u2', 'm2', text('B'))).replaceAll('"s1"', '"s2"'), seen);
    expect(second.calls.map((each) => each.id)).toEqual(['m2']);
  });
  it('a file may hold several sessions, and a prompt may reach into another one', async () => {
    const content = lines(
      user('u1', null, 'a'), reply('a1', 'u1', 'm1', text('A')),
      user('u2', 'a1', 'b', { sessionId: 's2' }), reply('a2', 'u2', 'm2', text('B'), { sessionId: 's2' }),
    );
    const sessions = await readAll(claudeCodeReader, memoryFile(content));
    expect(sessions.map((session) => [session.id, session.calls.map((each) => each.id)])).toEqual([['s1', ['m1']], ['s2', ['m2']]]);
    expect(sessions[1] && promptOf(sessions[1], 'm2')).toEqual(['user: a', 'assistant: A', 'user: b']);
  });
});
