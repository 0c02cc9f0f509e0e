import { describe, expect, it } from 'vitest';
import { memoryFile } from '../session.fixture.js';
import { indexFile } from './file-index.js';
import { linkEntries } from './link.js';
import { Contents } from './load.js';
import { call, lines, reply, result, text, user } from './record.fixture.js';

describe('Contents', () => {
  it('are the same whether they were kept from the first pass or are read again', async () => {
    // because a file larger than what is kept must not read differently
    const glued = reply('a1', 'u1', 'm1', call('t1')) + user('u2', 'a1', [result('t1', 'é\u2028🙂')], { toolUseResult: { stdout: 'x'.repeat(4000) } });
    const source = memoryFile(lines(user('u1', null, 'é'), glued, '\0\0', reply('a2', 'u2', 'm2', text('x'.repeat(200_000))), user('u3', 'a2', 'far')), 1000);
    const read = async (keptBytes?: number) => {
      const contents = new Contents(source, keptBytes);
      const file = await indexFile(source, contents);
      linkEntries(file);
      return new Map([...(await contents.of(file.entries))].sort(([a], [b]) => a - b));
    };
    const [kept, again] = [await read(), await read(0)];
    expect(kept.size).toBe(5);
    expect(again).toEqual(kept);
  });
});
