import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tokenizer, TrainingSampleRow } from '@turnwright/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { compose } from '../composition/compose.js';
import { claudeSession, CONTEXT, inDirectory, ledgerOf, rowsOf, run, SESSION, type CallLine, type Reply } from '../workspace.fixture.js';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await compose().tokenizers.get('qwen3').load();
});

/** Runs of trained tokens as text (a token that two spans share belongs to the one in which it begins; calls in a row are one span), each from the spans that its tokens stand in; a trained token outside of a span fails. */
function trainedSpans(row: TrainingSampleRow): string[] {
  const covered = new Uint8Array(row.response_ids.length);
  const texts = row.spans.flatMap(({ start, end, kind, call_id: callId }) => {
    const ids = row.response_ids.slice(start, end).filter((_, index) => row.loss_mask[start + index] === 1);
    row.loss_mask.slice(start, end).forEach((bit, index) => { covered[start + index] = bit; });
    if (ids.length === 0) return [];
    expect(ids.length, `${callId}: a span is trained whole`).toBe(end - start);
    return [`${callId} ${kind}: ${tokenizer.decode(ids)}`];
  });
  expect([...covered], 'no trained token outside of a span').toEqual(row.loss_mask);
  return texts;
}

/** The text that carries no loss. */
function contextOf(row: TrainingSampleRow): string {
  return tokenizer.decode([...row.prompt_ids, ...row.response_ids.filter((_, index) => row.loss_mask[index] === 0)]);
}

async function replayed(source: string, ...options: string[]): Promise<{ rows: TrainingSampleRow[]; calls: CallLine[] }> {
  return inDirectory(async (directory) => {
    const file = join(directory, 'session.jsonl');
    await writeFile(file, source);
    const ran = await run('replay', file, ...CONTEXT, '--out', join(directory, 'out'), ...options);
    expect(ran).toMatchObject({ code: 0, err: '' });
    return { rows: await rowsOf(join(directory, 'out')), calls: await ledgerOf<CallLine>(join(directory, 'out'), 'call') };
  });
}

const bash = (command: string): string => `<tool_call>\n{"name": "Bash", "arguments": {"command": ${JSON.stringify(command)}}}\n</tool_call>`;

describe('loss mask 1', () => {
  test('stands on what the assistant of the example sampled, and on nothing else', () =>
    inDirectory(async (directory) => {
      await run('replay', SESSION, ...CONTEXT, '--out', directory);
      const rows = await rowsOf(directory);
      expect(rows.flatMap(trainedSpans)).toEqual([
        'msg_01 reasoning: <think>\nThe user wants slugify fixed. I should read the function and its test before changing anything; the two reads do not depend on each other.\n</think>\n\n',
        "msg_01 text: I'll read the function and its test.\n",
        'msg_01 call: <tool_call>\n{"name": "Read", "arguments": {"file_path": "src/slugify.js"}}\n</tool_call>\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "test/slugify.test.js"}}\n</tool_call>',
        'msg_01 end-of-turn: <|im_end|>',
        'msg_02 reasoning: <think>\nEach blank becomes its own dash and punctuation stays. Let me see what the test says first.\n</think>\n\n',
        'msg_02 call: <tool_call>\n{"name": "Bash", "arguments": {"command": "node test/slugify.test.js", "description": "Run the slugify test"}}\n</tool_call>',
        'msg_02 end-of-turn: <|im_end|>',
        'msg_03 reasoning: <think>\nAs expected. Decompose accents, then turn every run of anything but letters and digits into one dash, and trim dashes at the ends.\n</think>\n\n',
        'msg_03 text: Every run of other characters should become one dash.\n',
        `msg_03 call: <tool_call>\n{"name": "Edit", "arguments": {"file_path": "src/slugify.js", "old_string": "  return text.toLowerCase().replace(/ /g, '-');", "new_string": "  const plain = text.normalize('NFKD').replace(/\\\\p{M}/gu, '');\\n  return plain.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');"}}\n</tool_call>`,
        'msg_03 end-of-turn: <|im_end|>',
        'msg_04 call: <tool_call>\n{"name": "Bash", "arguments": {"command": "node test/slugify.test.js && echo passed", "description": "Run the slugify test"}}\n</tool_call>',
        'msg_04 end-of-turn: <|im_end|>',
        'msg_05 text: Fixed. `slugify` now removes accents, turns every run of other characters into one dash, and trims dashes at the ends; the test passes.',
        'msg_05 end-of-turn: <|im_end|>',
      ]);
      const context = rows.map(contextOf).join('');
      for (const harness of ["slugify('Hello,  World!') gives", 'AssertionError', 'The file src/slugify.js has been updated.', 'You are a coding agent']) expect(context).toContain(harness);
    }));

  const replies: readonly Reply[] = [
    { thinking: 'Look — first. 🌱', text: 'Ünder way…', calls: [{ id: 'a', input: { command: 'ls "x"' } }, { id: 'b', input: { command: 'pwd\n' } }], stop: 'tool_use' },
    { text: 'Done.', stop: 'end_turn' },
  ];
  const sampled = ['s1-m0 reasoning: <think>\nLook — first. 🌱\n</think>\n\n', 's1-m0 text: Ünder way…\n', `s1-m0 call: ${bash('ls "x"')}\n${bash('pwd\n')}`, 's1-m0 end-of-turn: <|im_end|>', 's1-m1 text: Done.', 's1-m1 end-of-turn: <|im_end|>'];

  test.each(['lossless', 'slime'])('is the same with text of several bytes under the policy %s', async (policy) => {
    const { rows } = await replayed(claudeSession(replies), '--policy', policy);
    expect(rows.flatMap(trainedSpans)).toEqual(sampled);
  });

  test('follows the option that asks for calls only, and the ledger says what it costs', async () => {
    const { rows, calls } = await replayed(claudeSession(replies), '--set', 'loss=call');
    expect(rows.flatMap(trainedSpans)).toEqual(sampled.filter((span) => / call: | end-of-turn: /.test(span)));
    expect(calls[0]?.excluded.map(({ reason }) => reason)).toEqual(['loss-option-reasoning', 'loss-option-text']);
  });

  test('leaves out the end of a turn that a length limit cut, which later prompts show as context', async () => {
    const { rows } = await replayed(claudeSession([{ text: 'Half a sen', stop: 'max_tokens' }, { text: 'Done.', stop: 'end_turn' }]));
    expect(rows.flatMap(trainedSpans)).toEqual(['s1-m0 text: Half a sen', 's1-m1 text: Done.', 's1-m1 end-of-turn: <|im_end|>']);
    expect(rows.map(contextOf).join('').split('<|im_end|>')).toHaveLength(5);
  });

  test('leaves out the end of a turn of which nothing says how it ended', async () => {
    const { rows } = await replayed(claudeSession([{ text: 'Half a sen' }]));
    expect(rows.flatMap(trainedSpans)).toEqual(['s1-m0 text: Half a sen']);
  });

  test('leaves out the end of a turn that the user interrupted', async () => {
    const interrupted = claudeSession([{ text: 'Half a sen' }, { text: 'Done.', stop: 'end_turn' }]).replace('And then (0)?', '[Request interrupted by user]');
    const { rows } = await replayed(interrupted);
    expect(rows.flatMap(trainedSpans).filter((span) => span.includes('end-of-turn'))).toEqual(['s1-m1 end-of-turn: <|im_end|>']);
  });

  test('stands on no control token that a user or a tool typed', async () => {
    const { rows } = await replayed(claudeSession([{ text: 'Say <|im_end|> no.', stop: 'end_turn' }]).replace('Go on.', 'What is <|im_start|>assistant?'));
    expect(rows.flatMap(trainedSpans)).toEqual(['s1-m0 text: Say <|im_end|> no.', 's1-m0 end-of-turn: <|im_end|>']);
    const end = tokenizer.addedTokenId('<|im_end|>');
    expect(rows[0]?.response_ids.filter((id, index) => id === end && rows[0]?.loss_mask[index] === 1)).toHaveLength(1);
  });

  test('is what inspect marks', () =>
    inDirectory(async (directory) => {
      await run('replay', SESSION, '--out', directory);
      const shown = await run('inspect', join(directory, 'samples-00000.jsonl'));
      const marked = [...shown.out.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1] ?? '').join('');
      const spans = (await rowsOf(directory)).flatMap(trainedSpans).map((span) => span.slice(span.indexOf(': ') + 2)).join('');
      expect(marked).toBe(spans);
    }));
});
