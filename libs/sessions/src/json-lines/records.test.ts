import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { memoryFile } from '../session.fixture.js';
import { splitLines } from './lines.js';
import { readRecords } from './records.js';

const A = '{"parentUuid":null,"uuid":"é"}';
const B = '{"parentUuid":"a","uuid":"b"}';

async function found(content: string | Uint8Array): Promise<{ uuids: unknown[]; offsets: number[]; faults: [string, number | undefined, number | undefined][] }> {
  const uuids: unknown[] = [];
  const offsets: number[] = [];
  const faults: [string, number | undefined, number | undefined][] = [];
  for await (const line of splitLines(memoryFile(content).stream())) {
    const { records, diagnostics } = readRecords(line, 'f');
    for (const record of records) {
      uuids.push(record.value?.['uuid'] ?? null);
      offsets.push(record.byteOffset);
    }
    for (const fault of diagnostics) faults.push([fault.code, fault.line, fault.byteOffset]);
  }
  return { uuids, offsets, faults };
}

describe('readRecords', () => {
  it('keeps both of two records without a line end between them', async () => {
    // because anthropics/claude-code#81843; the é makes byte 31 character 30
    expect(await found(`${A}${B}\n`)).toEqual({ uuids: ['é', 'b'], offsets: [0, 31], faults: [['glued-records', 0, 31]] });
  });
  it('keeps the record that follows a cut one on its line', async () => {
    expect(await found(`${B}\n{"parentUuid":"b","mess${A}\n`)).toEqual({ uuids: ['b', null, 'é'], offsets: [0, 30, 53], faults: [['cut-record', 1, 30]] });
  });
  it('finds a record of any shape behind a cut one', async () => {
    expect((await found(`{"x":{"uuid":"no"},"y{"type":"t","uuid":"z"}\n`)).uuids).toEqual([null, 'z']);
  });
  it('keeps what stands before a cut at the end of a line', async () => {
    expect(await found(`${B}{"parentUuid":"b","me\n${B}\n`)).toEqual({ uuids: ['b', null, 'b'], offsets: [0, 29, 51], faults: [['cut-record', 0, 29]] });
  });
  it('calls a cut last line a truncated tail', async () => {
    expect(await found(`${B}\n{"type":"assist`)).toEqual({ uuids: ['b', null], offsets: [0, 30], faults: [['truncated-tail', 1, 30]] });
  });
  it('does not mind a missing final newline', async () => {
    expect((await found(`${B}\n${B}`)).faults).toEqual([]);
  });
  it('skips a block of zero bytes', async () => {
    expect(await found(`${B}\n${'\0'.repeat(4096)}\n${B}\n`)).toEqual({ uuids: ['b', 'b'], offsets: [0, 30 + 4097], faults: [['nul-bytes', 1, 30]] });
  });
  it('keeps a record behind zero bytes', async () => {
    expect(await found(`\0\0${B}\n`)).toEqual({ uuids: ['b'], offsets: [2], faults: [['nul-bytes', 0, 0]] });
  });
  it('reports bytes that are no UTF-8 and keeps the record', async () => {
    const bytes = Buffer.concat([Buffer.from('{"uuid":"a'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect(await found(bytes)).toEqual({ uuids: ['a\uFFFD'], offsets: [0], faults: [['invalid-utf8', 0, 0]] });
  });
  it('skips JSON that is no object', async () => {
    expect(await found('[1]\n"x"\n')).toEqual({ uuids: [], offsets: [], faults: [['not-a-record', 0, 0], ['not-a-record', 1, 4]] });
  });
  it('costs linear time on a line of openers', async () => {
    const started = Date.now();
    expect((await found('{"'.repeat(300_000) + '\n')).faults[0]?.[0]).toBe('cut-record');
    expect((await found('{"a":'.repeat(200_000) + '\n')).faults[0]?.[0]).toBe('cut-record');
    expect(Date.now() - started).toBeLessThan(5_000);
  });
});
