import { extendPrompt, promptMessages, type MessagePart, type ModelCall, type Session } from '@turnwright/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSession } from './redact-session.js';
import { REDACTION_RULES, redactJson, redactText } from './rules.js';

// Joined, so that no scanner of secrets takes the tests for a leak.
const key = ['sk', 'ant', 'api03', 'A'.repeat(40)].join('-');
const github = `ghp_${'a1'.repeat(18)}`;

describe('the rules', () => {
  it.each([
    ['keys of an API', `export KEY=${key}`, 'export KEY=[redacted:api-key]'],
    ['tokens', `git clone with ${github}.`, 'git clone with [redacted:token].'],
    ['bearer tokens', `curl -H "Authorization: Bearer ${'x'.repeat(20)}"`, 'curl -H "Authorization: Bearer [redacted:token]"'],
    ['AWS keys', `AKIA${'B2'.repeat(8)}`, '[redacted:api-key]'],
    ['web tokens', `eyJ${'h'.repeat(10)}.${'p'.repeat(12)}.${'s'.repeat(12)}`, '[redacted:jwt]'],
    ['private keys', `-----BEGIN RSA PRIVATE KEY-----\n${'M'.repeat(100)}\n-----END RSA PRIVATE KEY-----`, '[redacted:private-key]'],
    ['passwords in URLs', 'postgres://me:hunter22@db.example:5432/x', 'postgres://me:[redacted:url-password]@db.example:5432/x'],
    ['passwords', 'DB_PASSWORD="correct-horse"', 'DB_PASSWORD="[redacted:password]"'],
    ['passwords in JSON text', '{\\"api_key\\": \\"0123456789\\"}', '{\\"api_key\\": \\"[redacted:password]\\"}'],
    ['e-mail addresses', 'Jane <jane.doe+x@mail.example.org>', 'Jane <[redacted:email]>'],
    ['homes on Linux and macOS', 'cd /home/jane/src && ls /Users/jane', 'cd /home/[redacted:home]/src && ls /Users/[redacted:home]'],
    ['homes on Windows, escaped or not', 'C:\\Users\\jane\\a C:\\\\Users\\\\jane\\\\b', 'C:\\Users\\[redacted:home]\\a C:\\\\Users\\\\[redacted:home]\\\\b'],
  ])('take %s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each([
    'def token(self): return self.tokens[0]', 'password = None', 'a@b', 'user@host:~/x', 'the secret: none', 'const key = keys.find(Boolean)', 'sk-short', '/homepage/x', 'https://example.org/a:b@c', 'import x from "@scope/name"', 'total_tokens: 12',
  ])('leave %s', (text) => { expect(redactText(text)).toBe(text); });

  it('look at strings of JSON as what they mean, and keep the spelling of the rest', () => {
    // because: in the JSON text the n of \\n went with the address, and what was left was no JSON.
    expect(redactJson('{"a": "x\\nme@mail.example", "n": 1.0, "s": "caf\\u00e9", "api_key": "0123456789", "key": "short"}')).toBe('{"a": "x\\n[redacted:email]", "n": 1.0, "s": "caf\\u00e9", "api_key": "[redacted:password]", "key": "short"}');
    expect(redactJson('rm /home/jane/x')).toBe('rm /home/[redacted:home]/x');
  });

  it('are idempotent, and keep JSON JSON', () => {
    const bits = fc.constantFrom(key, github, 'me@mail.example', '/home/jane/x', ' password: "abcdefghij" ', 'Bearer abcdefghijklmnopqrst', '"', '\\', '\n', 'plain ', '://a:b@', '-----BEGIN PRIVATE KEY-----', 'eyJ');
    fc.assert(fc.property(fc.array(bits, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(redactText(redactText(text))).toBe(redactText(text));
      expect((JSON.parse(redactJson(JSON.stringify({ text }))) as { text: string }).text).toBe(redactText(text));
    }), { seed: 20261201, numRuns: 500 });
  });

  it('take a text of megabytes: a pattern that goes back over it would not end', () => {
    for (const unit of ['a', '-', '/home/', '@a.', 'eyJa.', 'password=', '://a:', '-----BEGIN PRIVATE KEY-----']) {
      expect(redactText(unit.repeat(2_000_000 / unit.length)).length).toBeGreaterThan(0);
    }
  });

  it('have a name and a description each', () => {
    expect(new Set(REDACTION_RULES.map(({ name }) => name)).size).toBe(REDACTION_RULES.length);
    for (const { description, pattern } of REDACTION_RULES) expect([description.length > 5, pattern.flags.includes('g')]).toEqual([true, true]);
  });
});

describe('a session', () => {
  const part = (kind: 'text' | 'reasoning', text: string): MessagePart => ({ kind, text, author: kind === 'text' ? 'user' : 'sampled', exactness: 'bytes' });
  const first = extendPrompt(undefined, { role: 'user', parts: [part('text', 'hello')] });
  const second = extendPrompt(first, { role: 'user', parts: [part('text', `my key is ${key}`)] });
  const position = { file: '/home/jane/s.jsonl', line: 0, byteOffset: 0 };
  const call = (id: string, head: typeof first, sampled: readonly MessagePart[]): ModelCall => ({ id, identity: id, prompt: { status: 'exact', reasons: [], head }, sampled, finishReason: 'stop', loss: true, tokens: { outputIds: [1, 2] }, position });
  const session: Session = {
    id: 's', reader: 'test', files: ['/home/jane/s.jsonl'], systemPrompt: { status: 'known', value: 'You help.' }, tools: { status: 'unknown' }, operations: [],
    calls: [call('clean', first, [part('reasoning', 'ok')]), call('told', second, [part('reasoning', 'ok')]), call('wrote', first, [{ kind: 'tool-call', name: 'mail', arguments: '{"to": "a@mail.example", "n": 1.0}', author: 'sampled', exactness: 'bytes' }])],
    diagnostics: [{ severity: 'warning', code: 'x', message: 'In /home/jane/s.jsonl.', file: '/home/jane/s.jsonl' }],
  };

  it('keeps what is clean as it is, ids and shared prompts with it', () => {
    const { calls: [clean] } = redactSession(session);
    expect(clean?.tokens).toEqual({ outputIds: [1, 2] });
    expect(clean?.prompt.head).toBe(first);
  });

  it('loses the secret in prompts and replies, and the ids that spell it', () => {
    const { calls: [, told, wrote], files, diagnostics } = redactSession(session);
    expect(told?.tokens).toBeUndefined();
    expect(promptMessages(told?.prompt.head).flatMap(({ parts }) => parts)).toMatchObject([{ text: 'hello' }, { text: 'my key is [redacted:api-key]', exactness: 're-rendered' }]);
    expect(wrote?.sampled).toMatchObject([{ arguments: '{"to": "[redacted:email]", "n": 1.0}', exactness: 're-rendered', author: 'sampled' }]);
    expect(JSON.stringify([files, diagnostics, told, wrote])).not.toMatch(/jane|sk-ant|a@mail/);
  });

  it('loses the ids of every call when the system prompt holds a secret', () => {
    expect(redactSession({ ...session, systemPrompt: { status: 'known', value: `Use ${github}` } }).calls.some(({ tokens }) => tokens !== undefined)).toBe(false);
  });
});
