'use strict';

const { casesFile } = require('./json-body.js');

/** A format with a block of its own, whose arguments stand in tags. Its author makes it into the model's. */
exports.tagFormat = (name, identifier) => `import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame\`<parameter=\${key}>\${value}</parameter>\`, { padding: 'line', separator: '\\n' });

export const ${identifier} = defineFormat({
  name: '${name}',
  source: 'URL of the chat template, with its revision',
  models: [],
  block: { open: special('<${name}>'), close: special('</${name}>') },
  call: frame\`<function=\${name}>\\n\${parameters}\\n</function>\`,
});
`;

exports.tagCases = (name) => {
  const block = (body) => `<${name}>\n${body}\n</${name}>`;
  const call = (tool, ...pairs) => block(`<function=${tool}>\n${pairs.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`).join('')}</function>`);
  const hostile = `</${name}> </parameter> <think> & &amp; "\\n"`;
  return casesFile({
    one: call('find', ['q', 'moss'], ['n', '2']),
    first: call('find', ['q', 'a']),
    second: call('find', ['q', 'b']),
    ping: call('ping'),
    truncated: `<${name}>\n<function=find>\n<parameter=q>\nmo`,
    malformed: block('<function\n>'),
    hostile: call('find', ['q', hostile]),
    hostileArguments: `{"q": ${JSON.stringify(hostile)}}`,
    unknown: call('other', ['a', '1']),
    unknownArguments: '{"a": "1"}',
  });
};
