'use strict';

/** `my_format` and `my-format` as `myFormat`. */
exports.camelCase = (name) => name.replace(/[_-]+(.)/g, (_, letter) => letter.toUpperCase());

/**
 * Adds a name to a list such as `formats: [hermes]`, on one line or a name a line, and its import after the last one.
 *
 * Refuses a file in which it does not find the list, rather than write beside it.
 */
exports.addToList = (tree, path, list, identifier, module) => {
  const source = tree.read(path, 'utf8');
  const pattern = new RegExp(`${list}: \\[([^\\]]*)\\]`);
  if (source === null || !pattern.test(source)) throw new Error(`Expected a list "${list}: […]" in ${path}, found none.`);
  const lines = source.split('\n');
  const last = lines.reduce((found, line, index) => (line.startsWith('import ') ? index : found), -1);
  lines.splice(last + 1, 0, `import { ${identifier} } from './${module}.js';`);
  tree.write(path, lines.join('\n').replace(pattern, (_, names) => (names.includes('\n') ? `${list}: [${names.trimEnd().replace(/,?$/, ',')}\n    ${identifier},\n  ]` : `${list}: [${names}, ${identifier}]`)));
};

/** Throws when something of the name is there already. */
exports.requireNew = (tree, path) => {
  if (tree.exists(path)) throw new Error(`Expected a new name, found ${path}.`);
};
