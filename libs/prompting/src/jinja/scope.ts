import type { Body, Statement, Target } from './nodes.js';

/** Where a name's value may be: so many frames up, in this slot. */
export interface Place {
  readonly depth: number;
  readonly slot: number;
}

/**
 * The names that are assigned in one scope of a template: the whole, a loop's body, a macro.
 *
 * An inner scope sees the outer ones' names until it assigns its own; `if` has no scope.
 */
export class Scope {
  private readonly slots = new Map<string, number>();

  /** Whether counts that nothing may ask for are put off. */
  readonly puttingOff: boolean;

  constructor(private readonly parent: Scope | undefined, body: Body, { names = [], puttingOff = false }: { readonly names?: readonly string[]; readonly puttingOff?: boolean } = {}) {
    this.puttingOff = puttingOff;
    for (const name of names) this.declare(name);
    for (const statement of body) declareAssigned(statement, (name) => this.declare(name));
  }

  get size(): number {
    return this.slots.size;
  }

  declare(name: string): number {
    const slot = this.slots.get(name) ?? this.slots.size;
    this.slots.set(name, slot);
    return slot;
  }

  slotOf(name: string): number | undefined {
    return this.slots.get(name);
  }

  /** Where inner scopes have the name, the innermost first; the outermost is not among them. */
  innerPlaces(name: string): readonly Place[] {
    if (this.parent === undefined) return [];
    const slot = this.slots.get(name);
    const outer = this.parent.innerPlaces(name).map((place) => ({ depth: place.depth + 1, slot: place.slot }));
    return slot === undefined ? outer : [{ depth: 0, slot }, ...outer];
  }

  get outermost(): Scope {
    return this.parent === undefined ? this : this.parent.outermost;
  }

  get isOutermost(): boolean {
    return this.parent === undefined;
  }
}

function declareAssigned(statement: Statement, declare: (name: string) => void): void {
  if (statement.kind === 'if') {
    for (const body of [...statement.branches.map((branch) => branch.body), statement.otherwise]) for (const inner of body) declareAssigned(inner, declare);
  } else if (statement.kind === 'set' || statement.kind === 'set-block') targetNames(statement.target).forEach(declare);
  else if (statement.kind === 'macro') declare(statement.name);
}

export function targetNames(target: Target): readonly string[] {
  if (target.kind === 'tuple') return target.items.flatMap(targetNames);
  return target.kind === 'name' ? [target.name] : [];
}
