export { createToolMiddleware, type ToolMiddlewareOptions } from './tool-middleware.js';
export type { CallReport } from './response-reader.js';
