'use strict';

const { camelCase, addToList, requireNew } = require('../list-line.js');
const { jsonFormat, jsonCases } = require('./json-body.js');
const { tagFormat, tagCases } = require('./tags-body.js');

/** `nx g ./tools:parser my_format --body json|tags`: the three places that a format touches. */
module.exports = async (tree, { name: given, body = 'json' }) => {
  const name = given.replaceAll('-', '_');
  const file = name.replaceAll('_', '-');
  const project = body === 'json' ? 'json' : 'xml';
  const directory = `libs/parsers-${project}/src`;
  requireNew(tree, `${directory}/${file}.ts`);
  tree.write(`${directory}/${file}.ts`, body === 'json' ? jsonFormat(name, camelCase(name)) : tagFormat(name, camelCase(name)));
  tree.write(`${directory}/${file}.cases.yaml`, body === 'json' ? jsonCases(name) : tagCases(name));
  addToList(tree, `${directory}/parsers-${project}.plugin.ts`, 'formats', camelCase(name), file);
};
