import { textOf, isStr } from '../python/data-text.js';
import { itemOf } from '../python/attributes.js';
import { lengthOf } from '../python/length.js';
import { Callable, Dict, Float, isList, Namespace, Tuple, Undefined, type Str, type Value } from '../python/values.js';
import type { Frame, Signal } from './frame.js';
import type { Loop } from './loop.js';

/** A name of the outermost scope, or of the request, as every inner scope of a template reads it. */
export interface OuterVariable {
  readonly name: string;
  /** `frame` is the outermost one. */
  read(frame: Frame): Value;
}

/** What of a variable was read: all of it, one element, or how many there are. */
export type Part = { readonly kind: 'all' } | { readonly kind: 'length' } | { readonly kind: 'item'; readonly item: Value } | { readonly kind: 'attribute'; readonly name: string };

const ALL: Part = { kind: 'all' };

export interface Read {
  readonly variable: OuterVariable;
  readonly part: Part;
  value: Value;
}

/** Between which integers a number lies, ends included. */
export interface Bounds {
  readonly least: number;
  readonly greatest: number;
}

/** A number of which only comparisons were seen. */
export interface BoundedRead extends Bounds {
  readonly variable: OuterVariable;
  readonly part: Part;
}

export interface Write {
  readonly variable: OuterVariable;
  readonly attribute: string;
  readonly value: Value;
}

/** Text that was written at once; the same object as long as it is known to be the same. */
export interface Segment {
  readonly text: Str;
  readonly lengthUtf16: number;
  /** Start and end of what `generation` blocks wrote in it. */
  readonly generations: readonly (readonly [number, number])[];
}

/** One turn of a loop: all that it looked at besides its item, and all that it did. */
export interface Trace {
  readonly reads: readonly Read[];
  readonly bounds: readonly BoundedRead[];
  readonly loopReads: readonly (readonly [name: string, value: Value])[];
  readonly writes: readonly Write[];
  readonly segment: Segment;
  readonly signal: Signal;
  /** Whether it asked how many items there are. */
  readonly readsCount: boolean;
}

/** Takes down what a turn of a loop reads and writes outside itself. */
export class Tracer {
  readonly reads = new Map<string, Read>();
  readonly bounds = new Map<string, BoundedRead>();
  readonly loopReads = new Map<string, Value>();
  readonly writes = new Map<string, Write>();
  /** What was looked at has a state of its own, so the turn cannot be repeated by its trace. */
  opaque = false;
  private readonly namespaces = new Map<Namespace, OuterVariable>();

  constructor(private readonly loop: Loop) {}

  variable(variable: OuterVariable, value: Value, part: Part = ALL): void {
    if (value instanceof Namespace) {
      this.namespaces.set(value, variable);
      return;
    }
    if (hasState(value)) this.opaque = true;
    const key = keyOfRead({ variable, part });
    if (!this.reads.has(key)) this.reads.set(key, { variable, part, value });
  }

  /** A namespace that no variable led to is the turn's own. */
  attribute(namespace: Namespace, name: string, value: Value): void {
    const variable = this.namespaces.get(namespace);
    if (value instanceof Namespace) this.opaque = true;
    else if (variable !== undefined && !this.writes.has(`${variable.name}.${name}`)) this.variable(variable, value, { kind: 'attribute', name });
  }

  bound(variable: OuterVariable, part: Part, bounds: Bounds): void {
    const key = keyOfRead({ variable, part });
    this.bounds.set(key, { variable, part, ...bothBounds(this.bounds.get(key), bounds) });
  }

  /** False when the namespace is not known to be one of the outermost scope. */
  boundAttribute(namespace: Namespace, name: string, bounds: Bounds): boolean {
    const variable = this.namespaces.get(namespace);
    if (variable === undefined) return false;
    if (!this.writes.has(`${variable.name}.${name}`)) this.bound(variable, { kind: 'attribute', name }, bounds);
    return true;
  }

  assign(namespace: Namespace, attribute: string, value: Value): void {
    const variable = this.namespaces.get(namespace);
    if (variable !== undefined) this.writes.set(`${variable.name}.${attribute}`, { variable, attribute, value });
  }

  loopAttribute(loop: Loop, name: string, value: Value): void {
    if (loop !== this.loop) return;
    if (name === 'changed') this.opaque = true;
    if (name === 'cycle') this.loopReads.set('index0', loop.index);
    else if (!this.loopReads.has(name)) this.loopReads.set(name, value);
  }
}

/** The same for reads of the same thing. */
export function keyOfRead({ variable: { name }, part }: Pick<Read, 'variable' | 'part'>): string {
  if (part.kind === 'item') return `${name}[${isStr(part.item) ? `'${textOf(part.item)}'` : String(part.item)}]`;
  return part.kind === 'attribute' ? `${name}.${part.name}` : part.kind === 'length' ? `#${name}` : name;
}

function hasState(value: Value): boolean {
  if (value instanceof Callable) return value.definition === undefined;
  return typeof value === 'object' && value !== null && 'attribute' in value;
}

/** Whether the turn would read now what it read then. */
export function holds(trace: Trace, loop: Loop, outermost: Frame): boolean {
  for (const [name, value] of trace.loopReads) if (!same(loop.attribute(name), value)) return false;
  return trace.reads.every((read) => readHolds(read, outermost)) && trace.bounds.every((read) => isWithin(numberNow(read, outermost), read));
}

/** What both say. */
export function bothBounds(a: Bounds | undefined, b: Bounds): Bounds {
  return a === undefined ? b : { least: Math.max(a.least, b.least), greatest: Math.min(a.greatest, b.greatest) };
}

/** The value of the moment; NaN when it is no integer, which lies between no bounds. */
export function numberNow(read: Pick<Read, 'variable' | 'part'>, outermost: Frame): number {
  const value = readAgain(read, outermost);
  return typeof value === 'number' ? value : NaN;
}

export function isWithin(value: number, { least, greatest }: Bounds): boolean {
  return value >= least && value <= greatest;
}

export function readHolds(read: Read, outermost: Frame): boolean {
  const value = readAgain(read, outermost);
  if (value === read.value) return true;
  if (!same(value, read.value)) return false;
  // The next comparison is one of identities: a reply comes back as another object when it is history.
  read.value = value;
  return true;
}

function readAgain({ variable, part }: Pick<Read, 'variable' | 'part'>, outermost: Frame): Value {
  const value = variable.read(outermost);
  switch (part.kind) {
    case 'all': return value;
    case 'item': return isList(value) ? itemOf(value, part.item) : new Undefined('');
    case 'length': return isList(value) ? lengthOf(value) : -1;
    case 'attribute': {
      const attribute = value instanceof Namespace ? value.attributes.get(part.name) : undefined;
      return attribute === undefined ? new Undefined('') : attribute;
    }
  }
}

export function keyOfWrite({ variable, attribute }: Write): string {
  return keyOfRead({ variable, part: { kind: 'attribute', name: attribute } });
}

/** Assigns to namespaces again. */
export function repeatWrites(writes: readonly Write[], outermost: Frame): void {
  for (const { variable, attribute, value } of writes) {
    const namespace = variable.read(outermost);
    if (namespace instanceof Namespace) namespace.attributes.set(attribute, value);
  }
}

/** Whether two values are one to every template; false where that is not plain. */
function same(a: Value | undefined, b: Value, depth = 0): boolean {
  if (a === b) return true;
  if (a === undefined || a === null || b === null || depth > DEEPEST_COMPARED) return false;
  if (isStr(a)) return isStr(b) && sameText(a, b);
  if (isList(a)) return isList(b) && sameItems(a, b, depth);
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(a.items, b.items, depth);
  if (a instanceof Undefined) return b instanceof Undefined;
  if (a instanceof Float) return b instanceof Float && Object.is(a.value, b.value);
  if (a instanceof Callable) return b instanceof Callable && a.definition !== undefined && a.definition === b.definition;
  return a instanceof Dict && b instanceof Dict && sameDicts(a, b, depth);
}

const DEEPEST_COMPARED = 8;

export function sameText(a: Str, b: Str): boolean {
  if (textOf(a) !== textOf(b)) return false;
  const [runsA, runsB] = [runsOf(a), runsOf(b)];
  return runsA === runsB || (runsA?.length === runsB?.length && runsA?.every((offset, index) => offset === runsB?.[index]) === true);
}

const NO_RUNS: readonly number[] = [];

function runsOf(value: Str): readonly number[] | undefined {
  return typeof value === 'string' ? NO_RUNS : value.runs;
}

function sameItems(a: readonly Value[], b: readonly Value[], depth: number): boolean {
  return a.length === b.length && a.every((item, index) => same(item, b[index] as Value, depth + 1));
}

function sameDicts(a: Dict, b: Dict, depth: number): boolean {
  if (a.entries.size !== b.entries.size) return false;
  const others = b.entries.entries();
  for (const [key, { value }] of a.entries) {
    const [otherKey, other] = others.next().value ?? [];
    if (key !== otherKey || other === undefined || !same(value, other.value, depth + 1)) return false;
  }
  return true;
}
