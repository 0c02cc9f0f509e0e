import { compareValues, type Ordering } from '../python/compare.js';
import { Namespace, type Value } from '../python/values.js';
import type { Evaluate, Frame } from './frame.js';
import { compileName, onlyOuter } from './name-compiler.js';
import type { Expression } from './nodes.js';
import type { Scope } from './scope.js';
import type { Bounds, OuterVariable } from './trace.js';

/** Reads a number of the outermost scope in a frame, and takes down only what a comparison told of it. */
interface BoundedSide {
  readonly value: Evaluate;
  note(frame: Frame, bounds: Bounds): boolean;
}

/**
 * A comparison with a number of the outermost scope, of which only the outcome is traced: `loop.index0 > ns.last_query_index`.
 *
 * The number changes with every question; what came out changes for the turns since the last one only.
 */
export function compileBoundedComparison(operator: Ordering, left: Expression, right: Expression, scope: Scope, compile: (inner: Expression) => Evaluate): Evaluate | undefined {
  const sides = { left: boundedSide(left, scope), right: boundedSide(right, scope) };
  const onRight = sides.right !== undefined;
  const side = onRight ? sides.right : sides.left;
  if (side === undefined) return undefined;
  const [first, second] = [compile(left), compile(right)];
  const [bounded, other] = onRight ? [second, first] : [first, second];
  const holds = HOLDS[operator];
  return (frame) => {
    if (frame.run.tracer === undefined) return holds(compareValues(operator, first(frame), second(frame)));
    const [value, compared] = [side.value(frame), other(frame)];
    if (typeof value === 'number' && typeof compared === 'number') {
      const outcome = holds(onRight ? compared - value : value - compared);
      if (side.note(frame, boundsOf(onRight ? MIRRORED[operator] : operator, compared, outcome))) return outcome;
    }
    // `other` is not evaluated twice: it may be a call.
    return holds(onRight ? compareValues(operator, compared, bounded(frame)) : compareValues(operator, bounded(frame), compared));
  };
}

const HOLDS: Readonly<Record<Ordering, (order: number) => boolean>> = { '<': (order) => order < 0, '<=': (order) => order <= 0, '>': (order) => order > 0, '>=': (order) => order >= 0 };
const MIRRORED: Readonly<Record<Ordering, Ordering>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const OPPOSITE: Readonly<Record<Ordering, Ordering>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** What an integer is when `integer OPERATOR compared` came out so. */
function boundsOf(operator: Ordering, compared: number, outcome: boolean): Bounds {
  switch (outcome ? operator : OPPOSITE[operator]) {
    case '<': return { least: -Infinity, greatest: compared - 1 };
    case '<=': return { least: -Infinity, greatest: compared };
    case '>': return { least: compared + 1, greatest: Infinity };
    case '>=': return { least: compared, greatest: Infinity };
  }
}

function boundedSide(node: Expression, scope: Scope): BoundedSide | undefined {
  if (node.kind === 'name') {
    const outer = onlyOuter(node.name, scope);
    return outer === undefined ? undefined : variableSide(outer);
  }
  if (node.kind !== 'attribute' || node.object.kind !== 'name' || onlyOuter(node.object.name, scope) === undefined) return undefined;
  return attributeSide(compileName(node.object.name, scope), node.name);
}

function variableSide(outer: OuterVariable): BoundedSide {
  return {
    value: ({ run }) => outer.read(run.outermost as Frame),
    note: ({ run }, bounds) => {
      run.tracer?.bound(outer, { kind: 'all' }, bounds);
      return true;
    },
  };
}

function attributeSide(object: Evaluate, name: string): BoundedSide {
  const attributeIn = (value: Value): Value => (value instanceof Namespace ? (value.attributes.get(name) ?? null) : null);
  return {
    value: (frame) => attributeIn(object(frame)),
    note: (frame, bounds) => {
      const namespace = object(frame);
      return namespace instanceof Namespace && frame.run.tracer?.boundAttribute(namespace, name, bounds) === true;
    },
  };
}
