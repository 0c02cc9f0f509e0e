import { definePlugin } from '@turnwright/contracts';
import type { Plugin, SessionReader } from '@turnwright/contracts';
import { atifReader } from './atif/reader.js';
import { claudeCodeReader } from './claude-code/reader.js';
import { clineReader } from './cline/reader.js';
import { codexReader } from './codex/reader.js';
import { geminiCliReader } from './gemini-cli/reader.js';
import { copilotCliReader } from './copilot-cli/reader.js';
import { inspectReader } from './inspect-ai/reader.js';
import { kimiReader } from './kimi/reader.js';
import { openCodeReader } from './opencode/reader.js';
import { openHandsReader } from './openhands/reader.js';
import { otelReader } from './otel/reader.js';
import { piReader } from './pi/reader.js';
import { qwenCodeReader } from './qwen-code/reader.js';
import { miniSweAgentReader } from './mini-swe-agent/reader.js';
import { requestLogReader } from './request-log/reader.js';
import { responsesReader } from './responses-items/reader.js';
import { stsReader } from './sts/reader.js';
import { sweAgentReader } from './swe-agent/reader.js';
import { messagesReader } from './openai-messages/reader.js';

/** The built-in readers, surest first. */
export const sessionReaders: readonly SessionReader[] = [claudeCodeReader, codexReader, geminiCliReader, qwenCodeReader, clineReader, openCodeReader, piReader, atifReader, miniSweAgentReader, sweAgentReader, responsesReader, openHandsReader, copilotCliReader, kimiReader, inspectReader, stsReader, otelReader, requestLogReader, messagesReader];

/** The readers as a plugin. */
export const sessionsPlugin: Plugin = definePlugin({ apiVersion: 1, name: 'sessions', readers: sessionReaders });
