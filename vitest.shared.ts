import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** The one test configuration: every project tests its own sources, and its neighbours' sources, never a stale build. */
export function projectConfig(name: string): ViteUserConfig {
  return defineConfig({
    ssr: { resolve: { conditions: ['@turnwright/source', 'node', 'import', 'module', 'default'] } },
    resolve: { conditions: ['@turnwright/source', 'node', 'import', 'module', 'default'] },
    test: {
      name,
      include: ['src/**/*.test.ts'],
      environment: 'node',
      testTimeout: 30_000,
      server: { deps: { inline: [/@turnwright\//] } },
    },
  });
}
