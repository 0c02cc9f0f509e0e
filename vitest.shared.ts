import { defineConfig, type ViteUserConfig } from 'vitest/config';

/**
 * The one test configuration: every project tests its own sources, and its neighbours' sources, never a stale build.
 *
 * Every core takes files, where one is left idle by default; said here, since projects that run together have to agree on it.
 * Files of a worker share their modules: no test changes what another one reads, and loading tokenizers anew for each file takes longer than the tests.
 */
export function projectConfig(name: string): ViteUserConfig {
  return defineConfig({
    ssr: { resolve: { conditions: ['@turnwright/source', 'node', 'import', 'module', 'default'] } },
    resolve: { conditions: ['@turnwright/source', 'node', 'import', 'module', 'default'] },
    test: {
      name,
      include: ['src/**/*.test.ts'],
      environment: 'node',
      testTimeout: 30_000,
      maxWorkers: '100%',
      isolate: false,
      server: { deps: { inline: [/@turnwright\//] } },
    },
  });
}
