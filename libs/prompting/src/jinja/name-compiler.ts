import { Undefined, type Value } from '../python/values.js';
import type { Evaluate, Frame } from './frame.js';
import { Lazy } from './lazy-set.js';
import type { Scope } from './scope.js';
import type { OuterVariable } from './trace.js';

/** Reads a name: the innermost scope that has assigned it, then the request. What an inner scope reads of the outermost is traced. */
export function compileName(name: string, scope: Scope): Evaluate {
  const outer = outerVariable(name, scope);
  if (scope.isOutermost) return (frame) => outer.read(frame);
  const places = scope.innerPlaces(name);
  const readOuter = ({ run }: Frame): Value => {
    const value = outer.read(run.outermost as Frame);
    run.tracer?.variable(outer, value);
    return value;
  };
  const [only] = places;
  if (only === undefined) return readOuter;
  if (places.length === 1 && only.depth === 0) {
    const { slot } = only;
    return (frame) => {
      const value = frame.slots[slot];
      if (value instanceof Lazy) return force(frame, slot, value);
      return value === undefined ? readOuter(frame) : value;
    };
  }
  return (frame) => {
    let [at, depth]: [Frame | undefined, number] = [frame, 0];
    for (const place of places) {
      for (; depth < place.depth; depth++) at = at?.parent;
      const value = at?.slots[place.slot];
      if (value instanceof Lazy) return force(at as Frame, place.slot, value);
      if (value !== undefined) return value;
    }
    return readOuter(frame);
  };
}

/** The variable of the outermost scope, when an inner scope reads it and none between has the name. */
export function onlyOuter(name: string, scope: Scope): OuterVariable | undefined {
  return scope.isOutermost || scope.innerPlaces(name).length > 0 ? undefined : outerVariable(name, scope);
}

function force(frame: Frame, slot: number, lazy: Lazy): Value {
  const value = lazy.force();
  frame.slots[slot] = value;
  return value;
}

function outerVariable(name: string, scope: Scope): OuterVariable {
  const slot = scope.outermost.slotOf(name);
  const fromRequest = ({ run }: Frame): Value => {
    const value = run.globals.get(name);
    return value === undefined ? new Undefined(`'${name}' is undefined`) : value;
  };
  if (slot === undefined) return { name, read: fromRequest };
  return {
    name,
    read: (frame) => {
      const value = frame.slots[slot];
      return value === undefined || value instanceof Lazy ? fromRequest(frame) : value;
    },
  };
}
