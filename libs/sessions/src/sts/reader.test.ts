import { describe, expect, it } from 'vitest';
import { detectReader } from '../detect.js';
import { sessionReaders } from '../plugin.js';
import { callOf, memoryFile, promptOf, readAll, readOne } from '../session.fixture.js';
import { stsReader } from './reader.js';

const line = (value: object) => `${JSON.stringify(value)}\n`;
const header = (id: string) => line({ type: 'session', harness: 'x', id });
const says = (role: string, content: string, fields: object = {}) => line({ type: 'message', message: { role, content, timestamp: 1, ...fields } });

describe('simple traces of the Hugging Face Hub', () => {
  const file = header('s') + says('system', 'be') + says('user', 'q') + says('assistant', '', { reasoningContent: 'hm', toolCalls: [{ id: 't', function: { name: 'f', arguments: '{"a":  1}' } }], model: 'm' }) + says('tool', 'out', { toolCallId: 't' }) + says('assistant', 'B');
  it('have camel-case names and arguments as they were sampled', async () => {
    expect(detectReader(sessionReaders, Buffer.from(file), 'x')?.name).toBe('hf-sts');
    const session = await readOne(stsReader, file);
    expect(promptOf(session, 'call-1')).toEqual(['system: be', 'user: q', 'assistant: <hm> + f({"a":  1})', 'tool: out']);
    expect(callOf(session, 'call-0')).toMatchObject({ model: 'm', finishReason: 'tool-calls', sampled: [{ kind: 'reasoning' }, { exactness: 'bytes' }] });
  });
  it('are a session for each header', async () => {
    const sessions = await readAll(stsReader, memoryFile(file + header('t') + says('user', 'r') + says('assistant', 'C')));
    expect(sessions.map((session) => [session.id, session.calls.length])).toEqual([['s', 2], ['t', 1]]);
  });
});
