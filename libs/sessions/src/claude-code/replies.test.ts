import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { claudeCodeReader } from './reader.js';
import { call, lines, other, reply, result, text, thinking, user } from './record.fixture.js';

const read = (...records: string[]) => readOne(claudeCodeReader, lines(...records));

describe('replies of Claude Code', () => {
  it('are one call each, whatever the number of lines, with blocks in file order', async () => {
    // because keep-last drops the text and the thought (serpro69/capy#37)
    const session = await read(
      user('u1', null, 'list files'),
      reply('a1', 'u1', 'm1', text('First.')),
      reply('a2', 'a1', 'm1', thinking('use ls')),
      reply('a3', 'a2', 'm1', call('t1')),
    );
    expect(session.calls.map((each) => each.id)).toEqual(['m1']);
    expect(sampledOf(session, 'm1')).toEqual(['First.', '<use ls>', 'Bash({"command": "t1"})']);
  });
  it('hold parallel calls as one turn, and all their results in the next prompt', async () => {
    // because a walk from leaf to root never meets u1 (anthropics/claude-code#37779)
    const session = await read(
      user('u0', null, 'go'),
      reply('a1', 'u0', 'm1', call('t1')),
      reply('a2', 'a1', 'm1', call('t2')),
      user('u1', 'a1', [result('t1', 'one')]),
      user('u2', 'a2', [result('t2', 'two')]),
      reply('a3', 'u2', 'm2', text('done')),
    );
    expect(promptOf(session, 'm2')).toEqual(['user: go', 'assistant: Bash({"command": "t1"}) + Bash({"command": "t2"})', 'tool: one', 'tool: two']);
    expect(callOf(session, 'm2').parentId).toBe('m1');
    expect(session.operations).toEqual([]);
  });
  it('take results in file order, also when only the last one is on the path', async () => {
    const session = await read(
      user('u0', null, 'go'),
      reply('a1', 'u0', 'm1', call('t1')),
      reply('a2', 'a1', 'm1', call('t2')),
      user('u2', 'a2', [result('t2', 'fast')]),
      user('u1', 'a1', [result('t1', 'slow')]),
      reply('a3', 'u1', 'm2', text('done')),
    );
    expect(promptOf(session, 'm2').slice(2)).toEqual(['tool: fast', 'tool: slow']);
  });
  it('are one call when results stand between their lines', async () => {
    const session = await read(
      user('u0', null, 'go'),
      reply('a1', 'u0', 'm1', call('t1')),
      user('u1', 'a1', [result('t1', 'one')]),
      reply('a2', 'u1', 'm1', call('t2')),
      user('u2', 'a2', [result('t2', 'two')]),
      reply('a3', 'u2', 'm2', text('done')),
    );
    expect(session.calls.map((each) => each.id)).toEqual(['m1', 'm2']);
    expect(promptOf(session, 'm1')).toEqual(['user: go']);
    expect(promptOf(session, 'm2').slice(2)).toEqual(['tool: one', 'tool: two']);
  });
  it('count usage from their last line, cached tokens included', async () => {
    const usage = (output: number) => ({ usage: { input_tokens: 1, cache_creation_input_tokens: 2, cache_read_input_tokens: 3, output_tokens: output } });
    const session = await read(user('u', null, 'go'), reply('a1', 'u', 'm1', text('x'), {}, usage(1)), reply('a2', 'a1', 'm1', call('t'), {}, usage(9)));
    expect(callOf(session, 'm1').usage).toEqual({ inputTokens: 6, outputTokens: 9 });
  });
  it('without ids are told apart unless one line follows the other directly', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', undefined, thinking('t')),
      reply('a2', 'a1', undefined, text('A')),
      user('u2', 'a2', 'b'),
      reply('a3', 'u2', undefined, text('B')),
    );
    expect(session.calls.map((each) => each.sampled.length)).toEqual([2, 1]);
  });
  it('keep the order of the tree when timestamps go backwards', async () => {
    const session = await read(
      user('u1', null, 'a', { timestamp: '2026-01-01T00:00:09Z' }),
      reply('a1', 'u1', 'm1', text('A'), { timestamp: '2026-01-01T00:00:05Z' }),
      user('u2', 'a1', 'b', { timestamp: '2025-01-01T00:00:00Z' }),
      reply('a2', 'u2', 'm2', text('B'), { timestamp: '2024-01-01T00:00:00Z' }),
    );
    expect(promptOf(session, 'm2')).toEqual(['user: a', 'assistant: A', 'user: b']);
  });
  it('chain through records of any kind', async () => {
    // because filtering before linking cuts the chain (BytePioneer-AI/codex-host#171)
    const session = await read(
      user('u1', null, 'go'),
      other('p1', 'u1', 'progress', { data: { type: 'hook_progress' } }),
      reply('a1', 'p1', 'm1', call('t1')),
      user('u2', 'a1', [result('t1', 'x')]),
      other('h1', 'u2', 'attachment', { attachment: { type: 'hook_success' } }),
      other('n1', 'h1', 'never-seen-before', { x: 1 }),
      reply('a2', 'n1', 'm2', text('done')),
    );
    expect(promptOf(session, 'm2')).toHaveLength(3);
    expect(callOf(session, 'm2').prompt).toMatchObject({ status: 'reconstructed', reasons: ['system-prompt-unknown', 'tools-unknown'] });
  });
  it('share the nodes of what their prompts have in common', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', 'm1', text('A')),
      user('u2', 'a1', 'b'),
      reply('a2', 'u2', 'm2', text('B')),
    );
    const first = callOf(session, 'm1').prompt.head;
    const second = callOf(session, 'm2').prompt.head;
    expect(second?.parent?.parent).toBe(first);
    expect(second?.parent?.message).toMatchObject({ role: 'assistant', callId: 'm1' });
  });
  it('keep number lexemes and key order of their arguments', async () => {
    const line = reply('a1', 'u1', 'm1', call('t1', 'Set', 'INPUT')).replace('"INPUT"', '{"10":1.0,"2":12345678901234567890,"__proto__":{"a":"\\u00e9"}}');
    const session = await read(user('u1', null, 'go'), line);
    expect(callOf(session, 'm1').sampled[0]).toMatchObject({ arguments: '{"10": 1.0, "2": 12345678901234567890, "__proto__": {"a": "é"}}', exactness: 're-rendered' });
  });
  it('get back what the harness cut from or added to their arguments, which later prompts lack', async () => {
    const session = await read(
      user('u1', null, 'go'),
      reply('a1', 'u1', 'm1', call('t1', 'Bash', { command: 'ls', description: 'd' }), { wireIngestContext: { t1: { cwd: '/w/a' } } }),
      user('u2', 'a1', [result('t1', 'x')]),
      reply('a2', 'u2', 'm2', call('t2', 'Edit', { replace_all: false, file_path: 'f' })),
    );
    expect(sampledOf(session, 'm1')).toEqual(['Bash({"command": "cd /w/a && ls", "description": "d"})']);
    expect(promptOf(session, 'm2')[1]).toBe('assistant: Bash({"command": "ls", "description": "d"})');
    expect(sampledOf(session, 'm2')).toEqual(['Edit({"file_path": "f"})']);
  });
  it('with withheld or redacted thoughts have a reasoning part without text', async () => {
    // because "reasoned, text withheld" is not "did not reason" (anthropics/claude-code#31326)
    const session = await read(user('u', null, 'go'), reply('a1', 'u', 'm1', thinking('')), reply('a2', 'a1', 'm1', { type: 'redacted_thinking', data: 'x' }), reply('a3', 'a2', 'm1', text('A')));
    expect(callOf(session, 'm1').sampled.map((part) => [part.kind, part.exactness])).toEqual([['reasoning', 'withheld'], ['reasoning', 'withheld'], ['text', 'bytes']]);
  });
  it('with a lone surrogate are damaged and not trained', async () => {
    const line = reply('a1', 'u', 'm1', text('xSy')).replace('xSy', 'x\\ud83dy');
    const session = await read(user('u', null, 'go'), line);
    expect(callOf(session, 'm1')).toMatchObject({ loss: false, lossReason: 'not-encodable', sampled: [{ text: 'x\uFFFDy', exactness: 'damaged' }] });
    expect(session.diagnostics.map((item) => item.code)).toEqual(['not-encodable']);
  });
  it('that the harness wrote are no samples, and API errors are not sent back', async () => {
    const error = reply('e1', 'u1', 'x', text('API Error: 500'), { isApiErrorMessage: true }, { model: '<synthetic>' });
    const session = await read(user('u1', null, 'hi'), error, user('u2', 'e1', 'again'), reply('a2', 'u2', 'm1', text('Hello.')));
    expect(callOf(session, 'x')).toMatchObject({ loss: false, lossReason: 'synthetic-reply', sampled: [{ author: 'harness' }] });
    expect(promptOf(session, 'm1')).toEqual(['user: hi', 'user: again']);
    expect(callOf(session, 'm1').loss).toBe(true);
  });
  it('that the harness wrote after an interrupt stay in the prompt', async () => {
    const session = await read(
      user('u1', null, 'hi'),
      reply('a1', 'u1', 'm1', text('Hel'), { isAbortedMidStream: true }),
      user('u2', 'a1', [text('[Request interrupted by user]')]),
      reply('s1', 'u2', 'x', text('No response requested.'), { isApiErrorMessage: false }, { model: '<synthetic>' }),
      user('u3', 's1', 'go on'),
      reply('a2', 'u3', 'm2', text('Hello.')),
    );
    expect(callOf(session, 'm1')).toMatchObject({ finishReason: 'aborted', loss: false, lossReason: 'aborted-reply' });
    expect(promptOf(session, 'm2')).toEqual(['user: hi', 'assistant: Hel', 'user: [Request interrupted by user]', 'assistant: No response requested.', 'user: go on']);
  });
  it('that were retracted are neither trained nor sent back', async () => {
    const session = await read(
      user('u1', null, 'hi'),
      reply('a1', 'u1', 'm1', text('No.')),
      other('s1', 'a1', 'system', { subtype: 'model_refusal_fallback', retractedMessageUuids: ['a1'] }),
      reply('a2', 's1', 'm2', text('Yes.')),
    );
    expect(callOf(session, 'm1')).toMatchObject({ loss: false, lossReason: 'retracted-reply' });
    expect(promptOf(session, 'm2')).toEqual(['user: hi']);
  });
  it('end as their stop reason says', async () => {
    const ended = async (stop: string) => callOf(await read(user('u', null, 'x'), reply('a', 'u', 'm1', text('y'), {}, { stop_reason: stop })), 'm1').finishReason;
    expect(await Promise.all(['end_turn', 'tool_use', 'max_tokens', 'refusal', 'new'].map(ended))).toEqual(['stop', 'tool-calls', 'length', 'aborted', 'unknown']);
  });
  it('without a stop reason end as what follows shows', async () => {
    const session = await read(
      user('u1', null, 'a'),
      reply('a1', 'u1', 'called', call('t1')),
      user('u2', 'a1', [result('t1', 'x')]),
      reply('a2', 'u2', 'answered', text('A')),
      user('u3', 'a2', 'b'),
      reply('a3', 'u3', 'interrupted', text('B')),
      user('u4', 'a3', [text('[Request interrupted by user]')]),
      reply('a4', 'u4', 'closed', text('C')),
      other('s1', 'a4', 'system', { subtype: 'turn_duration' }),
      user('u5', 's1', [text('<system-reminder>d</system-reminder>')]),
      reply('a5', 'u5', 'open', text('D')),
    );
    expect(session.calls.map((each) => [each.id, each.finishReason])).toEqual([['called', 'tool-calls'], ['answered', 'stop'], ['interrupted', 'aborted'], ['closed', 'stop'], ['open', 'unknown']]);
  });
});

describe('prompts of Claude Code', () => {
  it('name harness text, also in messages that mix it with a result', async () => {
    const session = await read(
      user('u1', null, '<command-name>/init</command-name>'),
      user('u2', 'u1', 'remember', { isMeta: true }),
      reply('a1', 'u2', 'm1', call('t1')),
      user('u3', 'a1', [result('t1', [text('one'), text('two')]), text('my name is x'), text('<system-reminder>r</system-reminder>')]),
      reply('a2', 'u3', 'm2', text('ok')),
    );
    const messages = promptOf(session, 'm2');
    expect(messages.slice(3)).toEqual(['tool: one\ntwo', 'user: my name is x + <system-reminder>r</system-reminder>']);
    const head = callOf(session, 'm2').prompt.head;
    expect(head?.message.parts.map((part) => part.author)).toEqual(['user', 'harness']);
    expect(callOf(session, 'm1').prompt.head?.message.parts[0]?.author).toBe('harness');
    expect(callOf(session, 'm1').prompt.head?.parent?.message.parts[0]?.author).toBe('harness');
  });
  it('hold the text that the model saw and never toolUseResult', async () => {
    const session = await read(
      user('u1', null, 'go'),
      reply('a1', 'u1', 'm1', call('t1')),
      user('u2', 'a1', [result('t1', 'cut…')], { toolUseResult: { stdout: 'everything' } }),
      reply('a2', 'u2', 'm2', text('ok')),
    );
    expect(promptOf(session, 'm2').at(-1)).toBe('tool: cut…');
  });
  it('hold images as media', async () => {
    const session = await read(user('u1', null, [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }, text('what?')]), reply('a1', 'u1', 'm1', text('A')));
    expect(promptOf(session, 'm1')).toEqual(['user: [image/png] + what?']);
  });
  it('hold attachments as they were rendered, and are approximate where they were not', async () => {
    const session = await read(
      user('u1', null, 'go'),
      other('x1', 'u1', 'attachment', { attachment: { type: 'date' }, rendered: [{ content: 'Today' }], renderedRole: 'system' }),
      reply('a1', 'x1', 'm1', text('A')),
      other('x2', 'a1', 'attachment', { attachment: { type: 'nested_memory' } }),
      reply('a2', 'x2', 'm2', text('B')),
    );
    expect(promptOf(session, 'm1')).toEqual(['user: go', 'system: Today']);
    expect(callOf(session, 'm2').prompt.status).toBe('approximate');
  });
});
