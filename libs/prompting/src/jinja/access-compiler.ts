import { attributeOf, attributeReader, itemOf } from '../python/attributes.js';
import { lengthOf } from '../python/length.js';
import { Dict, isList, Namespace, orElse, type Value } from '../python/values.js';
import { compileExpression } from './expression-compiler.js';
import type { Evaluate, Frame } from './frame.js';
import { Loop } from './loop.js';
import { onlyOuter } from './name-compiler.js';
import type { Expression } from './nodes.js';
import type { Scope } from './scope.js';

export function compileAttribute(object: Evaluate, name: string): Evaluate {
  const read = attributeReader(name);
  return (frame) => {
    const value = object(frame);
    if (value instanceof Dict) return read(value);
    const attribute = value instanceof Loop ? orElse(value.attribute(name), () => attributeOf(value, name)) : read(value);
    if (frame.run.tracer !== undefined) trace(frame, value, name, attribute);
    return attribute;
  };
}

function trace({ run }: Frame, object: Value, name: string, value: Value): void {
  if (object instanceof Namespace) run.tracer?.attribute(object, name, value);
  else if (object instanceof Loop) run.tracer?.loopAttribute(object, name, value);
}

/** Of a list of the outermost scope only the element is traced: the messages before stay as they are when others follow. */
export function compileItem(node: Extract<Expression, { readonly kind: 'item' }>, scope: Scope): Evaluate {
  const item = compileExpression(node.item, scope);
  const outer = node.object.kind === 'name' ? onlyOuter(node.object.name, scope) : undefined;
  const object = compileExpression(node.object, scope);
  return (frame) => {
    const { tracer, outermost } = frame.run;
    const list = outer === undefined || tracer === undefined ? undefined : outer.read(outermost as Frame);
    if (outer !== undefined && tracer !== undefined && list !== undefined && isList(list)) {
      const index = item(frame);
      const element = itemOf(list, index);
      tracer.variable(outer, element, { kind: 'item', item: index });
      return element;
    }
    const value = object(frame);
    const key = item(frame);
    const found = itemOf(value, key);
    if (tracer !== undefined && typeof key === 'string') trace(frame, value, key, found);
    return found;
  };
}

/** `name|length` of a list of the outermost scope, of which only the count is traced. */
export function compileLength({ operand, name }: Extract<Expression, { readonly kind: 'filter' }>, scope: Scope): Evaluate | undefined {
  if (operand.kind !== 'name' || (name !== 'length' && name !== 'count')) return undefined;
  const outer = onlyOuter(operand.name, scope);
  const object = compileExpression(operand, scope);
  if (outer === undefined) return (frame) => lengthOf(object(frame));
  return (frame) => {
    const { tracer, outermost } = frame.run;
    const list = tracer === undefined ? undefined : outer.read(outermost as Frame);
    if (tracer === undefined || list === undefined || !isList(list)) return lengthOf(object(frame));
    tracer.variable(outer, list.length, { kind: 'length' });
    return list.length;
  };
}
