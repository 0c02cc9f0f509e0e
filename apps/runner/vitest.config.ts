import { mergeConfig } from 'vitest/config';
import { projectConfig } from '../../vitest.shared.js';

/** Constructor parameters are injected by decorators of the legacy kind, which the transformer has to be told. */
export default mergeConfig(projectConfig('runner'), { oxc: { decorator: { legacy: true } }, test: { setupFiles: ['reflect-metadata'], testTimeout: 60_000 } });
