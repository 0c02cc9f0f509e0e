// Run by `node --test` on what the build made. A fuzz that cannot fail proves nothing, so formats are broken on purpose.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { customBody, defineFormat, frame, name, special } from '@turnwright/parsing';
import { minimise } from './minimise.mjs';
import { builtInTargets, fuzz } from './parse.fuzz.mjs';

/** A format whose body is read by `run`, given what a reader of a body is given. */
function brokenFormat(run) {
  return defineFormat({
    name: 'broken',
    source: 'a test',
    block: { open: special('<call>'), close: special('</call>') },
    call: frame`<f=${name}>${customBody({ open: (host) => ({ run: () => run(host), close: () => false }), write: ({ arguments: json }) => json })}</f>`,
  });
}

/** Passes on what stands before `at`. */
function passTo(host, at) {
  host.argumentsText(host.source.text.slice(host.source.position, at));
  host.source.position = at;
  return 'done';
}

function fuzzBroken(run, limitMs) {
  const lines = [];
  const outputs = [{ text: 'Then <call><f=find>{"a": "b"}</f></call> done.', tools: [] }];
  const result = fuzz({ seconds: 60, seed: 7, inputsMax: 400, limitMs, targets: [{ format: brokenFormat(run), outputs }], log: (line) => { lines.push(line); } });
  return { ...result, lines };
}

test('a body that ends where the window ends is found, and its text made small', () => {
  const { failure, lines } = fuzzBroken((host) => passTo(host, host.source.text.includes('}', host.source.position) ? host.source.text.indexOf('}', host.source.position) + 1 : host.source.text.length));
  assert.equal(failure.format, 'broken');
  assert.ok(failure.text.length < 30, failure.text);
  assert.match(lines.join('\n'), /^seed 7.*FAILED: seed 7, input \d+, format broken: .*minimised to \d+ of \d+ characters/s);
});

test('a reader that throws is found', () => {
  const { failure } = fuzzBroken((host) => {
    if (host.source.text.includes('b')) throw new RangeError('no b, please');
    return 'more';
  });
  assert.match(failure.fault, /^throws RangeError: no b, please/);
});

test('a reader that never ends is ended, and found', () => {
  const { failure } = fuzzBroken((host) => {
    while (host.source.text.includes('{'));
    return 'more';
  }, 200);
  assert.equal(failure.fault, 'does not end within 200 ms');
});

test('the same seed reads the same inputs, and the built-in formats stand a few', () => {
  const targets = builtInTargets();
  const [first, second] = [1, 2].map(() => fuzz({ seconds: 60, seed: 5, inputsMax: targets.length, targets, log: () => undefined }));
  assert.deepEqual(first, { count: targets.length, failure: undefined });
  assert.deepEqual(second, first);
});

test('what is left out changes nothing that matters', () => {
  assert.equal(minimise('aaXbbYcc', (text) => text.includes('X') && text.includes('Y')), 'XY');
});

test('a wrong option is named', () => {
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('./run.mjs', import.meta.url)), 'parse', '--seconds', 'soon'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /--seconds: expected a number above 0, found "soon"/);
});
