import { PYTHON, PYTHON_FILTERS, PYTHON_METHODS } from './python-methods.js';
import type { SyntaxNode } from './jinja-library.js';

/**
 * Rewrites a template's tree so that what @huggingface/jinja does otherwise than Python is done by our functions.
 *
 * The library has no hook for string methods, filters and operators, but calls whatever function a name is bound to:
 * `text.strip('\n')` becomes a call of `python.method:strip` with `text` and `'\n'`. The tree is changed in place.
 */
export function rewriteForPython(program: SyntaxNode): SyntaxNode {
  return rewrite(program) as SyntaxNode;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (value instanceof Map) return new Map([...value].map(([key, entry]: [unknown, unknown]) => [rewrite(key), rewrite(entry)]));
  if (!isNode(value)) return value;
  for (const [field, child] of Object.entries(value)) {
    const rewritten = rewrite(child);
    value[field] = BODIES.has(field) && Array.isArray(rewritten) ? rewritten.map(printed) : rewritten;
  }
  return replacement(value);
}

/** Fields that hold statements, where an expression stands for what it prints. */
const BODIES: ReadonlySet<string> = new Set(['body', 'alternate', 'defaultBlock']);
const PRINTED: ReadonlySet<string> = new Set(['MemberExpression', 'CallExpression', 'Identifier', 'IntegerLiteral', 'FloatLiteral', 'ArrayLiteral', 'TupleLiteral', 'ObjectLiteral', 'BinaryExpression', 'FilterExpression', 'SelectExpression', 'TestExpression', 'UnaryExpression', 'Ternary']);

function printed(statement: unknown): unknown {
  return isNode(statement) && PRINTED.has(statement.type) ? call(statement, PYTHON.str, [statement]) : statement;
}

function replacement(node: SyntaxNode): SyntaxNode {
  if (node.type === 'CallExpression') return methodCall(node);
  if (node.type === 'FilterExpression') return filterCall(node);
  if (node.type === 'BinaryExpression') return operatorCall(node);
  return node;
}

function methodCall(node: SyntaxNode): SyntaxNode {
  const callee = node['callee'];
  if (!isNode(callee) || callee.type !== 'MemberExpression' || callee['computed'] === true) return node;
  const method = nameOf(callee['property']);
  if (!includes(PYTHON_METHODS, method)) return node;
  return call(node, PYTHON.method + method, [callee['object'], ...listOf(node['args'])]);
}

function filterCall(node: SyntaxNode): SyntaxNode {
  const filter = node['filter'];
  const name = isNode(filter) && filter.type === 'CallExpression' ? nameOf(filter['callee']) : nameOf(filter);
  if (!includes(PYTHON_FILTERS, name)) return node;
  return call(node, PYTHON.filter + name, [node['operand'], ...(isNode(filter) ? listOf(filter['args']) : [])]);
}

function operatorCall(node: SyntaxNode): SyntaxNode {
  const operator = (node['operator'] as { readonly value: string }).value;
  const operands = [node['left'], node['right']];
  switch (operator) {
    case '+': return call(node, PYTHON.add, operands);
    case '~': return call(node, PYTHON.concat, operands);
    case 'in': return call(node, PYTHON.contains, operands);
    case 'not in': return made(node, { type: 'UnaryExpression', operator: { value: 'not' }, argument: call(node, PYTHON.contains, operands) });
    default: return node;
  }
}

function call(origin: SyntaxNode, name: string, args: readonly unknown[]): SyntaxNode {
  return made(origin, { type: 'CallExpression', callee: made(origin, { type: 'Identifier', value: name }), args });
}

/** A node of the library's own kind: it looks for `instanceof Statement` when it reads macros. */
function made(origin: SyntaxNode, fields: SyntaxNode): SyntaxNode {
  return Object.assign(Object.create(Object.getPrototypeOf(origin) as object) as SyntaxNode, fields);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as Partial<SyntaxNode>).type === 'string';
}

function nameOf(value: unknown): string {
  return isNode(value) && value.type === 'Identifier' ? String(value['value']) : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function includes(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** True when the template asks whether a call's arguments are a string: it then prints JSON text as it stands. */
export function acceptsArgumentText(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(acceptsArgumentText);
  if (!isNode(node)) return false;
  if (node.type === 'TestExpression' && nameOf(node['test']) === 'string') {
    const operand = node['operand'];
    if (isNode(operand) && operand.type === 'MemberExpression' && nameOf(operand['property']) === 'arguments') return true;
    if (nameOf(operand) === 'arguments') return true;
  }
  return Object.values(node).some(acceptsArgumentText);
}
