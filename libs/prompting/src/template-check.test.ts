import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFile } from './conversation.fixture.js';
import { checkTemplate, qwen3Template } from './index.js';

describe('a template check', () => {
  it('says what breaks the extension', async () => {
    const { text, source, endOfTurn } = await qwen3Template.load();
    const report = checkTemplate({ name: 'qwen3', text, source, endOfTurn });
    expect(report).toMatchObject({ reasoningAfterResult: 'extends', reasoningAfterQuestion: 'breaks', generationPrompt: '<|im_start|>assistant\n', endOfTurn: '<|im_end|>', afterEndOfTurn: '\n', toolsShown: true, masks: false });
    expect(report).toMatchObject({ endsLastReply: true, reasoningField: 'reasoning_content' });
    expect(report.causes).toContain('drops reasoning of earlier turns after a new question');
  });

  const turns = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}";
  it.each([
    ['the end of turn is only in history', `${turns}{% if not loop.last %}<|end|>{% endif %}{% endfor %}`, { endOfTurn: '<|end|>', endsLastReply: false, afterEndOfTurn: undefined }],
    ['there is none where the next turn begins', `${turns}{% endfor %}`, { endOfTurn: undefined, endsLastReply: false }],
    ['it may be in brackets', `${turns}[e~[\n{% endfor %}`, { endOfTurn: '[e~[', endsLastReply: true, afterEndOfTurn: '\n' }],
    ['reasoning may have another name', `${turns}{% if m.thinking %}({{ m.thinking }}){% endif %}<|end|>{% endfor %}`, { reasoningField: 'thinking', causes: [] }],
    ['reasoning may stand before calls only', `${turns}{% if m.tool_calls %}({{ m.reasoning_content }}){% endif %}<|end|>{% endfor %}`, { reasoningField: 'reasoning_content', causes: ['shows the reasoning of replies with a call only'] }],
    ['masks are there', `${turns}{% generation %}x{% endgeneration %}<|end|>{% endfor %}`, { masks: true }],
    ['a date is written', `{{ strftime_now('%d %b') }}${turns}<|end|>{% endfor %}`, { causes: ['never shows reasoning', 'writes the date'] }],
    ['content is trimmed', "{% for m in messages %}{{ m.content | trim }}<|end|>{% endfor %}", { causes: ['never shows reasoning', 'trims content'] }],
    ['the system prompt moves', "{% for m in messages %}{% if m.role != 'system' %}{% if loop.last and messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}{{ m.content }}<|end|>{% endif %}{% endfor %}", { causes: ['never shows reasoning', 'moves the system prompt'] }],
    ['the tools move', "{% for m in messages %}{% if loop.last and tools %}{{ tools[0].function.name }}{% endif %}{{ m.content }}<|end|>{% endfor %}", { afterQuestion: 'breaks', causes: ['never shows reasoning', 'moves the tools'] }],
    ['results are regrouped', "{% for m in messages %}{{ m.content }}{% if m.role != 'tool' or loop.last or loop.nextitem.role != 'tool' %}<|end|>{% endif %}{% endfor %}", { causes: ['never shows reasoning', 'regroups tool results'] }],
    ['roles are refused', "{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}{{ m.content }}<|end|>{% endfor %}", { afterResult: 'refused', afterQuestion: 'extends' }],
  ])('knows where %s', (_, text, expected) => {
    expect(checkTemplate({ name: 't', text, source: '', endOfTurn: '' })).toMatchObject(expected);
  });

  const table = sharedFile('conformance/render/prefix_table.md');
  it.skipIf(table === undefined)('says of every template of the pack what the table says, at once', () => {
    const folder = sharedFile('conformance/render/templates') ?? '';
    const manifest = JSON.parse(readFileSync(join(folder, 'MANIFEST.json'), 'utf8')) as Readonly<Record<string, { file: string; bos_token: string | null; eos_token: string | null }>>;
    const differing: string[] = [];
    for (const line of readFileSync(table ?? '', 'utf8').split('\n').slice(2)) {
      const [, name = '', plain = '', reasoned = '', , , , , , field = ''] = line.split('|').map((cell) => cell.trim());
      const entry = manifest[name];
      if (entry === undefined) continue;
      const start = performance.now();
      const report = checkTemplate({ name, text: readFileSync(join(folder, entry.file), 'utf8'), source: '', endOfTurn: '', variables: { ...(entry.bos_token === null ? {} : { bos_token: entry.bos_token }), ...(entry.eos_token === null ? {} : { eos_token: entry.eos_token }) } });
      expect(performance.now() - start).toBeLessThan(10_000);
      for (const [kind, cell, found] of [['plain', plain, [report.afterResult, report.afterQuestion]], ...(field === 'reasoning_content' ? [['reasoned', reasoned, [report.reasoningAfterResult, report.reasoningAfterQuestion]] as const] : [])] as const) {
        const said = EXTENSIONS.get(cell);
        if (said !== undefined && said.join() !== found.join()) differing.push(`${name} ${kind}: ${cell}, reported ${found.join(' ')}`);
      }
    }
    expect(differing).toEqual([]);
  });
});

const EXTENSIONS: ReadonlyMap<string, readonly string[]> = new Map([['yes · yes', ['extends', 'extends']], ['yes · NO', ['extends', 'breaks']], ['NO · NO', ['breaks', 'breaks']], ['hist · hist', ['breaks', 'breaks']]]);
