import { defineConfig } from 'vitest/config';

/** Where a report for machines goes, when one is wanted. */
const report = process.env['TURNWRIGHT_TEST_REPORT'];

export default defineConfig({
  test: {
    projects: ['libs/*/vitest.config.ts', 'apps/*/vitest.config.ts'],
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
