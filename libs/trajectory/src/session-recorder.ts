import { AgentError, type ContextOperation, type TurnRecord } from '@turnwright/contracts';
import { createTurnRecorder, type RecorderOptions, type TurnInput, type TurnPrompt } from './turn-recorder.js';

/** A call on a branch; its parent is what the branch holds. */
export type BranchTurn = TurnPrompt & Omit<TurnInput, 'parentId' | 'branchId' | 'operation' | 'promptIds' | 'keptPrefix' | 'promptTail'>;

/** Operations after which the next prompt need not continue the one before. */
export type ContextChange = Extract<ContextOperation['kind'], 'edit' | 'compaction' | 'cleared-results' | 'continuation'>;

/** One line of calls in a session: the main one, a parallel branch, a subagent. */
export interface BranchRecorder {
  readonly id: string;
  /** The call that the next one comes after. */
  readonly head: TurnRecord | undefined;
  /**
   * Records the next call. `change` says what happened to the context before it.
   *
   * throws as `TurnRecorder.record`, and AgentError `closed`
   */
  append(turn: BranchTurn, change?: ContextChange): TurnRecord;
  /** Records the last call once more: a sibling of the head, which it replaces. throws also AgentError `missing-parent` on an empty branch */
  retry(turn: BranchTurn): TurnRecord;
  /** Goes back to an earlier call of the session; what came after stays recorded. throws AgentError `missing-parent`, `closed` */
  rewind(turnId: string): void;
  /** A branch that goes on from the head, in parallel. throws AgentError `duplicate-name`, `closed` */
  fork(id: string): BranchRecorder;
  /** A subagent's branch: with `prefix` its prompts continue the head's, with `nothing` they begin anew. throws AgentError `duplicate-name`, `closed` */
  subagent(id: string, inherits: 'prefix' | 'nothing'): BranchRecorder;
  /** Nothing is recorded on the branch any more; branches that came from it go on. May be called twice. */
  close(): void;
}

export interface SessionRecorder {
  readonly id: string;
  readonly main: BranchRecorder;
  readonly branches: ReadonlyMap<string, BranchRecorder>;
  /** Of all branches, in the order in which they were recorded. */
  readonly turns: readonly TurnRecord[];
  /** Closes every branch and gives the turns. May be called twice. */
  close(): readonly TurnRecord[];
}

/** Records a session's calls as they come, on branches, each stored as what it adds. */
export function createSessionRecorder(id: string, options: RecorderOptions = {}): SessionRecorder {
  const recorder = createTurnRecorder(options);
  const branches = new Map<string, Branch>();
  const turnsById = new Map<string, TurnRecord>();
  const shared: Shared = {
    record(input) {
      const turn = recorder.record(input);
      turnsById.set(turn.id, turn);
      return turn;
    },
    turn: (turnId) => turnsById.get(turnId),
    open(branchId, head, operation) {
      if (branches.has(branchId)) throw new AgentError('duplicate-name', `Session "${id}" has a branch "${branchId}" already; expected a new name.`, { fields: { session: id, branch: branchId } });
      const branch = new Branch(branchId, shared, head, operation);
      branches.set(branchId, branch);
      return branch;
    },
  };
  const main = shared.open('main', undefined, undefined);
  const close = (): readonly TurnRecord[] => {
    for (const branch of branches.values()) branch.close();
    return recorder.turns;
  };
  return { id, main, branches, turns: recorder.turns, close };
}

interface Shared {
  record(input: TurnInput): TurnRecord;
  turn(id: string): TurnRecord | undefined;
  open(id: string, head: TurnRecord | undefined, operation: ContextOperation['kind'] | undefined): Branch;
}

class Branch implements BranchRecorder {
  readonly id: string;
  head: TurnRecord | undefined;
  private readonly shared: Shared;
  /** Of the next call. */
  private operation: ContextOperation['kind'] | undefined;
  private closed = false;

  constructor(id: string, shared: Shared, head: TurnRecord | undefined, operation: ContextOperation['kind'] | undefined) {
    this.id = id;
    this.shared = shared;
    this.head = head;
    this.operation = operation;
  }

  append(turn: BranchTurn, change?: ContextChange): TurnRecord {
    return this.record(turn, this.head?.id, change ?? this.operation);
  }

  retry(turn: BranchTurn): TurnRecord {
    const { head } = this;
    if (head === undefined) throw new AgentError('missing-parent', `Branch "${this.id}" has no call to try again.`, { fields: { branch: this.id } });
    return this.record(turn, head.parentId, 'retry');
  }

  rewind(turnId: string): void {
    this.requireOpen();
    const turn = this.shared.turn(turnId);
    if (turn === undefined) throw new AgentError('missing-parent', `Branch "${this.id}" cannot go back to turn "${turnId}", which is not recorded.`, { fields: { branch: this.id, turn: turnId } });
    this.head = turn;
    this.operation = 'rewind';
  }

  fork(id: string): BranchRecorder {
    this.requireOpen();
    return this.shared.open(id, this.head, 'fork');
  }

  subagent(id: string, inherits: 'prefix' | 'nothing'): BranchRecorder {
    this.requireOpen();
    return this.shared.open(id, inherits === 'prefix' ? this.head : undefined, 'subagent');
  }

  close(): void {
    this.closed = true;
  }

  private record(turn: BranchTurn, parentId: string | undefined, operation: ContextOperation['kind'] | undefined): TurnRecord {
    this.requireOpen();
    const place = { branchId: this.id, ...(parentId === undefined ? {} : { parentId }), ...(operation === undefined ? {} : { operation }) };
    this.head = this.shared.record({ ...turn, ...place });
    this.operation = undefined;
    return this.head;
  }

  private requireOpen(): void {
    if (this.closed) throw new AgentError('closed', `Branch "${this.id}" is closed; nothing more can be recorded on it.`, { fields: { branch: this.id } });
  }
}
