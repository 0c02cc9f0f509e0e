import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

const layers = {
  contracts: [],
  core: ['layer:contracts'],
  plugin: ['layer:contracts', 'layer:core'],
  testing: ['layer:contracts', 'layer:core'],
  adapter: ['layer:contracts', 'layer:core'],
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/out-tsc/**', '**/node_modules/**', '.nx/**', '**/*.d.ts', 'tools/generators/**/files/**'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', {
        enforceBuildableLibDependency: true,
        allow: ['../../vitest.shared.js'],
        depConstraints: [
          ...Object.entries(layers).map(([layer, allowed]) => ({ sourceTag: `layer:${layer}`, onlyDependOnLibsWithTags: layer === 'core' ? ['layer:contracts'] : [`layer:${layer}`, ...allowed].filter((tag) => tag !== 'layer:plugin') })),
          { sourceTag: 'layer:app', onlyDependOnLibsWithTags: ['*'] },
        ],
      }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-imports': ['error', { paths: [{ name: 'inversify', message: 'inversify belongs in *.module.ts, the composition root and the plugin loader.' }, { name: 'reflect-metadata', message: 'imported once, in the runner entry.' }] }],
      'no-restricted-syntax': ['error', { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' }],
    },
  },
  { files: ['**/*.module.ts', 'apps/runner/src/composition/**', 'apps/runner/src/main.ts'], rules: { 'no-restricted-imports': 'off' } },
  // Nx loads generators as they are, without a build: CommonJS.
  { files: ['tools/**/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off', 'no-undef': 'off' } },
  { files: ['**/*.test.ts'], rules: { 'max-lines': 'off' } },
  // A test may use the conformance runner from the testing layer, which plugins themselves never import.
  { files: ['libs/parsers-*/**/*.test.ts'], rules: { '@nx/enforce-module-boundaries': 'off' } },
);
