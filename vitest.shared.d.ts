import { type ViteUserConfig } from 'vitest/config';
/** The one test configuration: every project tests its own sources, and its neighbours' sources, never a stale build. */
export declare function projectConfig(name: string): ViteUserConfig;
//# sourceMappingURL=vitest.shared.d.ts.map