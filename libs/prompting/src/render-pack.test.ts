import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderConversation } from './conformance.js';
import { sharedFile } from './conversation.fixture.js';
import { answerRender, type RenderCase } from './index.js';
import { countCodePoints } from './python/code-points.js';

interface PackCase {
  readonly id: string;
  readonly template: string;
  readonly conversation: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly error?: { readonly message: string; readonly raised_by_template: boolean };
  readonly assistant_spans?: readonly (readonly [number, number])[];
}

const file = sharedFile('conformance/render/cases.jsonl');
const folder = dirname(file ?? '');
const linesOf = (name: string): string[] => (file === undefined ? [] : readFileSync(join(folder, name), 'utf8').split('\n').filter((line) => line !== ''));
const conversations = new Map(linesOf('conversations.jsonl').map((line) => [(JSON.parse(line) as { id: string }).id, line]));
const manifest = (file === undefined ? {} : JSON.parse(readFileSync(join(folder, 'templates/MANIFEST.json'), 'utf8'))) as Readonly<Record<string, { file: string; bos_token: string | null; eos_token: string | null }>>;
const cases = linesOf('cases.jsonl').map((line) => JSON.parse(line) as PackCase);

function requestOf({ id, template, conversation, options }: PackCase): RenderCase {
  const { file: name = '', bos_token = null, eos_token = null } = manifest[template] ?? {};
  const variables = { ...(bos_token === null ? {} : { bos_token }), ...(eos_token === null ? {} : { eos_token }) };
  return { id, templateText: readFileSync(join(folder, 'templates', name), 'utf8'), conversationLine: conversations.get(conversation) ?? '', options: JSON.stringify(options), variables, now: '2026-01-15T12:34:56' };
}

/** What differs, or undefined. */
function difference(entry: PackCase): string | undefined {
  const answer = answerRender(requestOf(entry));
  if (entry.error === undefined) return 'text' in answer && answer.text === entry.text ? undefined : entry.id;
  if (!('error' in answer)) return `${entry.id} should be refused`;
  return !entry.error.raised_by_template || answer.error.message.includes(entry.error.message) ? undefined : `${entry.id} is refused by ${answer.error.message}`;
}

describe.skipIf(file === undefined)('the rendering pack', () => {
  it.each(Object.keys(manifest))('holds for %s, refusals included', (template) => {
    const own = cases.filter((entry) => entry.template === template);
    expect(own.length).toBeGreaterThan(0);
    expect(own.map(difference).filter((found) => found !== undefined)).toEqual([]);
  });

  it('holds for what generation blocks wrote, in code points', () => {
    const marked = cases.filter((entry) => entry.assistant_spans !== undefined);
    expect(marked.length).toBe(317);
    for (const entry of marked) {
      const { text, generations } = renderConversation(requestOf(entry));
      expect(generations.map((span) => span.map((offset) => countCodePoints(text.slice(0, offset))))).toEqual(entry.assistant_spans);
    }
  });
});
