/** Texts and loops that the parse bench measures. */
import { writeCalls } from '@turnwright/parsing';

export const TOOL = { name: 'write_file', parameters: { type: 'object', properties: { path: { type: 'string' }, body: { type: 'string' } } } };

const LINES = ['def read_rows(path, limit=10):', '    rows = []', '    for line in open(path):', '        if line[0] != "#" and len(rows) < limit:', '            rows.append(line.split("\\t"))', '    return {"rows": rows, "count": len(rows)}', ''];

/** Code of `length` characters, as models write into files. */
export function codeOf(length) {
  const block = `${LINES.join('\n')}\n`;
  return block.repeat(Math.ceil(length / block.length)).slice(0, length - 1) + ')';
}

/** One call with a string of `length` characters; undefined where the format cannot express it. */
export function outputOf(format, length) {
  const body = codeOf(length);
  const codec = format.call.find(({ kind }) => kind === 'body').codec;
  const name = codec.kind === 'text-argument' ? codec.argument : 'body';
  const tool = name === 'body' ? TOOL : { ...TOOL, parameters: { type: 'object', properties: { [name]: { type: 'string' } } } };
  return { text: writeCalls(format, [{ name: TOOL.name, arguments: JSON.stringify({ [name]: body }) }], [tool]), tools: [tool] };
}

export function piecesOf(text, size) {
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

/** Calls of 40 arguments each; text where the format writes none. */
function fortyArguments(format, n) {
  const keys = Array.from({ length: 40 }, (_, index) => `key_${String(index)}`);
  const codec = format.call.find(({ kind }) => kind === 'body').codec;
  if (codec.kind === 'text-argument') return outputOf(format, n).text;
  const tool = { ...TOOL, parameters: { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) } };
  const call = writeCalls(format, [{ name: TOOL.name, arguments: JSON.stringify(Object.fromEntries(keys.map((key) => [key, codeOf(100)]))) }], [tool]);
  return `${call}\n`.repeat(Math.ceil(n / (call.length + 1)));
}

/** Texts of about `n` characters that made other parsers quadratic. */
export function adversaries(format, n) {
  const opener = format.block?.open[0]?.text ?? format.call.find(({ kind }) => kind === 'literal')?.text ?? '{';
  const closer = format.block?.close[0]?.text ?? '';
  const call = outputOf(format, 40).text;
  const at = call.lastIndexOf('count');
  const head = call.slice(0, at);
  const fill = (part) => part.repeat(Math.ceil(n / part.length)).slice(0, n);
  return {
    'openers': fill(opener),
    'openers in lines': fill(`${opener}\n`),
    'half openers': fill(opener.slice(0, -1) || '{'),
    'openers and braces': fill(`${opener}{"name": "write_file", `),
    'brackets': head + fill('['),
    'nested objects': `${opener}{"name": "write_file", "arguments": ${fill('{"a":')}`,
    'less-than': fill('<'),
    'less-than in a value': head + fill('<'),
    'half closers in a value': head + fill(closer.slice(0, -1) || '</'),
    'closers in a value': head + fill(closer === '' ? '</' : `${closer}x`),
    'white space behind a call': call + fill(' '),
    'white space behind an opener': opener + fill(' '),
    'openers with words': fill(`${opener.slice(0, -1)} a${opener.slice(-1)}`),
    'a list and white space': `${opener}[${fill(' ')}`,
    'a comma and white space': `${call.slice(0, -1)},${fill(' ')}`,
    'a number, a comma and white space': `${head}", "n": [1,${fill(' ')}`,
    'a quote and much white space': `${head}"${fill(' ')}`,
    'white space in a value': head + fill(' \n'),
    'a quote and white space': head + fill(`"${' '.repeat(200)}x`),
    'quotes': head + fill('"'),
    'apostrophes': head + fill("'"),
    'backslashes': head + fill('\\'),
    'backticks': fill('`'),
    'backticks in a value': head + fill('`'),
    'thoughts': fill('<think>'),
    'a thought with openers': `<think>${fill(opener)}`,
    'thought closers': fill('</think>'),
    'many calls': fill(`${call}\n`),
    '40 arguments': fortyArguments(format, n),
    'half markers': fill(`${opener.slice(0, -1)}${closer.slice(0, -1)}` || '<'),
    'nested lists': `${opener}{"name": "write_file", "arguments": {"a": ${fill('[')}`,
    'digits': `${opener}{"name": "write_file", "arguments": {"a": ${fill('9')}`,
  };
}
