import { Namespace, PythonError, Undefined, type Value } from '../python/values.js';
import { compileExpression } from './expression-compiler.js';
import type { Frame } from './frame.js';
import { unpack } from './globals.js';
import type { Target } from './nodes.js';
import type { Scope } from './scope.js';

export type Assign = (frame: Frame, value: Value) => void;

export function compileTarget(target: Target, scope: Scope): Assign {
  if (target.kind === 'tuple') {
    const parts = target.items.map((item) => compileTarget(item, scope));
    return (frame, value) => {
      const items = unpack(value, parts.length);
      for (const [index, part] of parts.entries()) part(frame, items[index] ?? null);
    };
  }
  if (target.kind === 'name') {
    const slot = scope.declare(target.name);
    return (frame, value) => { frame.slots[slot] = value; };
  }
  const { name, attribute } = target;
  const object = compileExpression({ kind: 'name', name, offset: target.offset }, scope);
  return (frame, value) => {
    const namespace = object(frame);
    if (namespace instanceof Undefined) namespace.raise();
    if (!(namespace instanceof Namespace)) throw new PythonError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
    namespace.attributes.set(attribute, value);
    frame.run.tracer?.assign(namespace, attribute, value);
  };
}

