export { claudeCodeReader } from './claude-code/reader.js';
export { messagesReader } from './openai-messages/reader.js';
export { answerSessionsRequest, describeSession } from './conformance.js';
export type { CallDescription, SessionDescription, SessionsRequest } from './conformance.js';
export { detectReader } from './detect.js';
export { sessionReaders, sessionsPlugin } from './plugin.js';
export { readSessions } from './read-sessions.js';
export { sessionsModule } from './sessions.module.js';
export { openSourceFile } from './source-file.js';
