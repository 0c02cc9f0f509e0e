import { mergeConfig } from 'vitest/config';
import { projectConfig } from '../../vitest.shared.js';

/**
 * Its tests mostly wait for commands that they start, so every core takes files; by default one core is left idle.
 *
 * Constructor parameters are injected by decorators of the legacy kind, which the transformer has to be told.
 */
export default mergeConfig(projectConfig('runner'), { oxc: { decorator: { legacy: true } }, test: { setupFiles: ['reflect-metadata'], testTimeout: 60_000, maxWorkers: '100%' } });
