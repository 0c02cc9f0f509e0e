import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { projects: ['libs/*/vitest.config.ts', 'apps/*/vitest.config.ts'] } });
