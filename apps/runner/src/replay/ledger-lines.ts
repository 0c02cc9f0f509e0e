import type { Diagnostic, LedgerEntry, Session } from '@turnwright/contracts';

/** A line of `ledger.jsonl` for a file that was taken or refused. */
export function fileLine(file: { readonly path: string; readonly status: 'read' | 'refused' | 'skipped'; readonly reader?: string; readonly code?: string; readonly message?: string; readonly sessions?: number }): string {
  return JSON.stringify({ kind: 'file', file: file.path, status: file.status, reader: file.reader, code: file.code, message: file.message, line: file.code === undefined ? undefined : 0, byte_offset: file.code === undefined ? undefined : 0, sessions: file.sessions });
}

export function sessionLine(session: Session, rows: number): string {
  return JSON.stringify({ kind: 'session', session_id: session.id, reader: session.reader, files: session.files, calls: session.calls.length, rows, system_prompt: session.systemPrompt.status, tools: session.tools.status, operations: session.operations.map(({ kind, callId, detail }) => ({ kind, call_id: callId, detail })) });
}

export function callLine(entry: LedgerEntry): string {
  return JSON.stringify({
    kind: 'call',
    session_id: entry.sessionId,
    call_id: entry.callId,
    file: entry.file,
    line: entry.line,
    byte_offset: entry.byteOffset,
    prompt_tokens: entry.promptTokens,
    sampled_tokens: entry.sampledTokens,
    trained_tokens: entry.trainedTokens,
    excluded: entry.excluded,
    samples: entry.sampleIds,
    boundary: entry.boundary === undefined ? undefined : { cause: entry.boundary.cause, first_difference: entry.boundary.firstDifference, lost_tokens: entry.boundary.lostTokens, repeated_tokens: entry.boundary.repeatedTokens },
    flags: entry.flags,
    prompt_status: entry.promptStatus,
  });
}

export function diagnosticLine(diagnostic: Diagnostic): string {
  const { severity, code, message, file, line, byteOffset, callId } = diagnostic;
  return JSON.stringify({ kind: 'diagnostic', severity, code, message, file, line, byte_offset: byteOffset, call_id: callId });
}
