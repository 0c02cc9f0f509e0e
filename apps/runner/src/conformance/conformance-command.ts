import { AgentError } from '@turnwright/contracts';
import { answerSessionsRequest } from '@turnwright/sessions';
import { answerTrajectoryRequest } from '@turnwright/trajectory';
import { z } from 'zod';
import type { Application } from '../composition/application.js';
import { answerParseRequest } from './parse-suite.js';
import { createRenderSuite } from './render-suite.js';
import { createTokensSuite } from './tokens-suite.js';

/** Answers one request; throws when it refuses. */
type Suite = (request: Record<string, unknown>, line: string) => unknown;

const SUITES = ['parse', 'trajectory', 'sessions', 'render', 'tokens'] as const;

const trajectoryRequest = z.object({ id: z.string(), op: z.string(), input: z.unknown() });
const sessionsRequest = z.object({ id: z.string(), files: z.array(z.string()) });

/**
 * `turnwright conformance SUITE`: JSON lines in, JSON lines out, in order.
 *
 * A refused request is answered `{id, error: {code, message}}`; a line that is no JSON object too, with id null.
 */
export async function conformanceCommand(application: Application, suite: string, input: AsyncIterable<Uint8Array>, write: (line: string) => Promise<void>): Promise<void> {
  const answer = suiteOf(application, suite);
  for await (const line of jsonLines(input)) if (line.trim() !== '') await write(JSON.stringify(await answerLine(line, answer)));
}

function suiteOf(application: Application, suite: string): Suite {
  switch (suite) {
    case 'parse': return (request) => answerParseRequest(request, application);
    case 'trajectory': return (request) => answerTrajectoryRequest(trajectoryRequest.parse(request));
    case 'sessions': return (request) => answerSessionsRequest(sessionsRequest.parse(request));
    case 'render': return createRenderSuite();
    case 'tokens': return createTokensSuite(application);
    default: throw new AgentError('unknown-name', `Unknown conformance suite "${suite}". Known: ${SUITES.join(', ')}.`, { fields: { suite } });
  }
}

async function answerLine(line: string, answer: Suite): Promise<unknown> {
  let id: unknown = null;
  try {
    const request = z.record(z.string(), z.unknown()).parse(JSON.parse(line));
    id = request['id'] ?? null;
    return { id, ...(await answer(request, line) as Record<string, unknown>) };
  } catch (error) {
    return { id, error: { code: error instanceof AgentError ? error.code : 'bad-request', message: error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error) } };
  }
}

async function* jsonLines(input: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest + decoder.decode();
}
