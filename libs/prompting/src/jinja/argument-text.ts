import type { Expression } from './nodes.js';

/** True when the template asks whether a call's arguments are a string: it then prints JSON text as it stands. */
export function acceptsArgumentText(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(acceptsArgumentText);
  if (typeof node !== 'object' || node === null) return false;
  if (asksForString(node as Expression)) return true;
  return Object.values(node).some(acceptsArgumentText);
}

function asksForString(node: Expression): boolean {
  if (node.kind !== 'test' || node.name !== 'string') return false;
  const { operand } = node;
  if (operand.kind === 'attribute' || operand.kind === 'name') return operand.name === 'arguments';
  return operand.kind === 'item' && operand.item.kind === 'constant' && operand.item.value === 'arguments';
}
