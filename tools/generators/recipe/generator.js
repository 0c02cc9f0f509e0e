'use strict';

const { camelCase, addToList, requireNew } = require('../list-line.js');

/** `nx g ./tools:recipe my-recipe`: the recipe, its test, and its line in the list. */
module.exports = async (tree, { name }) => {
  const directory = 'apps/runner/src/recipes';
  requireNew(tree, `${directory}/${name}.ts`);
  tree.write(`${directory}/${name}.ts`, recipe(name, camelCase(name)));
  tree.write(`${directory}/${name}.test.ts`, test(name));
  addToList(tree, `${directory}/recipes.plugin.ts`, 'recipes', camelCase(name), name);
};

const recipe = (name, identifier) => `import { defineRecipe } from '@turnwright/contracts';
import { z } from 'zod';
import { runPipeline } from './session-pipeline.js';

/** Say here what it makes of a session, and for whom. */
export const ${identifier} = defineRecipe({
  name: '${name}',
  description: 'Trains every sampled reply.',
  options: z.strictObject({ policy: z.string().default('lossless').describe('merge policy: how calls are joined into rows') }),
  build: ({ policy }, services) => ({
    session: (session) => runPipeline(session, services, { policy, trainsCall: () => true }),
  }),
});
`;

const test = (name) => `import { expect, test } from 'vitest';
import { inDirectory, ledgerOf, run, SESSION, type CallLine } from '../workspace.fixture.js';

test('${name} trains what the ledger says', () =>
  inDirectory(async (directory) => {
    expect(await run('replay', SESSION, '--recipe', '${name}', '--out', directory)).toMatchObject({ code: 0, err: '' });
    const calls = await ledgerOf<CallLine>(directory, 'call');
    expect(calls.map((call) => [call.call_id, call.trained_tokens])).toEqual([['msg_01', 91], ['msg_02', 59], ['msg_03', 140], ['msg_04', 39], ['msg_05', 33]]);
  }));
`;
