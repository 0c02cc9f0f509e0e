import type { FinishReason } from '@turnwright/contracts';
import type { RecordContent } from './content.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { ResultIndex } from './paths.js';
import { resultsOf } from './paths.js';
import type { Reply, ReplyIndex } from './replies.js';

/** Replies after which something happened that tells whether they were finished. */
export interface EndMarks {
  readonly ended: ReadonlySet<Reply>;
  readonly interrupted: ReadonlySet<Reply>;
}

const STOP_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  // A classifier stopped the reply: the model did not end it.
  refusal: 'aborted',
};

/**
 * Why a reply ended. Streamed lines are written before the API says so: of 29,508 replies of several lines, 28,671 have no stop reason
 * on the last one. Then a tool call that has a result was finished, and so was a text after which the turn went on or was closed.
 */
export function finishReasonOf(reply: Reply, results: ResultIndex, marks: EndMarks): FinishReason {
  if (reply.lines.some((line) => line.aborted)) return 'aborted';
  const stated = reply.lines.findLast((line) => line.stopReason !== undefined)?.stopReason;
  if (stated !== undefined) return STOP_REASONS[stated] ?? 'unknown';
  if (reply.lines.some((line) => line.toolUseIds.length > 0)) return resultsOf(results, reply).length > 0 ? 'tool-calls' : 'unknown';
  if (marks.interrupted.has(reply)) return 'aborted';
  return marks.ended.has(reply) ? 'stop' : 'unknown';
}

/** Looks at what follows the replies of a session. */
export function endMarks(file: FileIndex, index: ReplyIndex, entries: readonly Entry[], contents: ReadonlyMap<number, RecordContent>): EndMarks {
  const ended = new Set<Reply>();
  const interrupted = new Set<Reply>();
  for (const entry of entries) {
    const content = contents.get(entry.index);
    const closes = entry.subtype === 'turn_duration' || entry.subtype === 'stop_hook_summary';
    if (!closes && content?.userTurn !== true && content?.interrupt !== true) continue;
    const reply = replyBefore(file, index, entry);
    if (reply === undefined) continue;
    if (content?.interrupt === true) interrupted.add(reply);
    else ended.add(reply);
  }
  return { ended, interrupted };
}

function replyBefore(file: FileIndex, index: ReplyIndex, entry: Entry): Reply | undefined {
  for (let before = file.entries[entry.parent]; before !== undefined; before = file.entries[before.parent]) {
    const reply = index.ofEntry.get(before.index);
    if (reply !== undefined) return reply.agent === entry.agent ? reply : undefined;
    if (before.kind === 'user' || before.subtype === 'compact_boundary') return undefined;
  }
  return undefined;
}
