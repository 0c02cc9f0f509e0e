import type { ModelCall, Session } from '@turnwright/contracts';
import { table } from '../cli/output.js';

/** A session's calls, one a line, each under the call that it continues. */
export function showSession(session: Session): readonly string[] {
  const rows = session.calls.map((call) => [call.id, call.parentId ?? '–', call.agent === undefined ? 'main' : `agent ${call.agent.id}`, describe(call), call.finishReason, `${call.prompt.status}, ${String(call.prompt.head?.depth ?? 0)} messages`, call.loss ? 'trained' : `no loss: ${call.lossReason ?? 'unknown'}`]);
  return [
    `session ${session.id} (${session.reader}): ${String(session.calls.length)} calls, system prompt ${session.systemPrompt.status}, tools ${session.tools.status}`,
    ...table([['CALL', 'CONTINUES', 'AGENT', 'SAMPLED', 'FINISH', 'PROMPT', 'LOSS'], ...rows]),
    ...session.operations.map(({ kind, detail, callId }) => `${kind}${callId === undefined ? '' : ` before ${callId}`}: ${detail}`),
    ...session.diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
    '',
  ];
}

function describe(call: ModelCall): string {
  return call.sampled.map((part) => (part.kind === 'tool-call' ? part.name : part.exactness === 'withheld' ? `${part.kind} (withheld)` : part.kind)).join(', ') || 'nothing';
}
