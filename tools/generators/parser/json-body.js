'use strict';

/** A format with a block of its own, whose body is the call as JSON. Its author makes it into the model's. */
exports.jsonFormat = (name, identifier) => `import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const ${identifier} = defineFormat({
  name: '${name}',
  source: 'URL of the chat template, with its revision',
  models: [],
  block: { open: special('<${name}>'), close: special('</${name}>') },
  call: frame\`\${jsonCall()}\`,
});
`;

exports.jsonCases = (name) => {
  const block = (json) => `<${name}>\n${json}\n</${name}>`;
  const call = (tool, args) => block(`{"name": "${tool}", "arguments": ${args}}`);
  return casesFile({
    one: call('find', '{"q": "moss", "n": 2}'),
    first: call('find', '{"q": "a"}'),
    second: call('find', '{"q": "b"}'),
    ping: call('ping', '{}'),
    truncated: `<${name}>\n{"name": "find", "arguments": {"q": "mo`,
    malformed: block('{"name": , "arguments": }'),
    hostile: call('find', '{"q": "</${name}> <think> \\"}]\\" \\u00e9"}'.replace('${name}', name)),
    hostileArguments: `{"q": "</${name}> <think> \\"}]\\" \\u00e9"}`,
    unknown: call('other', '{"a": 1}'),
    unknownArguments: '{"a": 1}',
  });
};

const casesFile = exports.casesFile = (texts) => {
  const text = JSON.stringify;
  const find = (query) => `{ call: find, arguments: ${text(`{"q": "${query}"}`)} }`;
  const ping = "{ call: ping, arguments: '{}' }";
  return `tools:
  - { name: find, parameters: { type: object, properties: { q: { type: string }, n: { type: integer } } } }
  - { name: ping, parameters: { type: object, properties: {} } }
cases:
  - name: none
    output: "Nothing to call: if (a < b) return;"
    items: [{ text: "Nothing to call: if (a < b) return;" }]
  - name: one
    output: ${text(texts.one)}
    items: [{ call: find, arguments: '{"q": "moss", "n": 2}' }]
  - name: two of the same tool
    output: ${text(`${texts.first}\n${texts.second}`)}
    items: [${find('a')}, { text: "\\n" }, ${find('b')}]
  - name: empty arguments
    output: ${text(texts.ping)}
    items: [${ping}]
  - name: text around
    output: ${text(`First. ${texts.ping} Then.${texts.ping} Last.`)}
    items: [{ text: "First. " }, ${ping}, { text: " Then." }, ${ping}, { text: " Last." }]
  - name: truncated
    output: ${text(`Wait. ${texts.truncated}`)}
    end: length
    items: [{ text: "Wait. " }]
    attempts: [{ name: find, status: incomplete }]
  - name: malformed then good
    output: ${text(texts.malformed + texts.ping)}
    items: [${ping}]
    attempts: [{ name: "", status: malformed }, { name: ping, status: ok }]
  - name: hostile strings
    output: ${text(texts.hostile)}
    items: [{ call: find, arguments: ${text(texts.hostileArguments)} }]
  - name: unknown tool
    output: ${text(texts.unknown)}
    items: [{ call: other, arguments: ${text(texts.unknownArguments)} }]
    attempts: [{ name: other, status: ok, notes: [unknown-tool] }]
  - name: reasoning then call
    output: ${text(`<think>look</think>${texts.ping}`)}
    items: [{ reasoning: look }, ${ping}]
`;
};
