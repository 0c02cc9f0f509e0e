import { Interpreter, isDict, isList, isString, JinjaEnvironment, runtime, type RuntimeValue, type SyntaxNode } from './jinja-library.js';

type Evaluate = (node: SyntaxNode, environment: JinjaEnvironment) => RuntimeValue;

/**
 * The library's evaluator with its most frequent nodes done over.
 *
 * A history of a thousand messages is a hundred thousand nodes, and the library makes new values even for constants and
 * property names. Two rules are Python's where the library has others: nothing has attributes on an undefined value, and
 * values of different types are not equal.
 */
export class PythonInterpreter extends Interpreter {
  private readonly frequent: Readonly<Record<string, Evaluate>> = {
    StringLiteral: (node) => constant(node, runtime.string),
    IntegerLiteral: (node) => constant(node, runtime.integer),
    Program: (node, environment) => this.block(node['body'], environment),
    If: (node, environment) => this.block(this.isTrue(node['test'], environment) ? node['body'] : node['alternate'], environment),
    For: (node, environment) => this.loop(node, environment),
    Set: (node, environment) => this.assign(node, environment),
    MemberExpression: (node, environment) => this.member(node, environment),
    BinaryExpression: (node, environment) => this.binary(node, environment),
    TestExpression: (node, environment) => this.test(node, environment),
    UnaryExpression: (node, environment) => (operatorOf(node) === 'not' ? runtime.boolean(!this.isTrue(node['argument'], environment)) : super.evaluate(node, environment)),
  };

  override evaluate(node: SyntaxNode | undefined, environment: JinjaEnvironment): RuntimeValue {
    if (node === undefined) return runtime.undefined();
    const evaluate = this.frequent[node.type];
    return evaluate === undefined ? super.evaluate(node, environment) : evaluate(node, environment);
  }

  private isTrue(node: unknown, environment: JinjaEnvironment): boolean {
    return truth(this.evaluate(node as SyntaxNode, environment));
  }

  private block(statements: unknown, environment: JinjaEnvironment): RuntimeValue {
    let text = '';
    for (const statement of statements as readonly SyntaxNode[]) {
      const value = this.evaluate(statement, environment);
      if (isString(value)) text += value.value;
    }
    return runtime.string(text);
  }

  /** Only plain loops; one with a condition or with `break` and `continue` is the library's. */
  private loop(node: SyntaxNode, environment: JinjaEnvironment): RuntimeValue {
    const [loopVariable, iterable] = [node['loopvar'] as SyntaxNode, node['iterable'] as SyntaxNode];
    if (loopVariable.type !== 'Identifier' || iterable.type === 'SelectExpression' || leavesEarly(node)) return super.evaluate(node, environment);
    const scope = new JinjaEnvironment(environment);
    const items = itemsOf(this.evaluate(iterable, scope));
    if (items.length === 0) return this.block(node['defaultBlock'], scope);
    let text = '';
    for (const [index, item] of items.entries()) {
      scope.setVariable('loop', loopValue(items, index));
      scope.setVariable(loopVariable['value'] as string, item);
      text += this.block(node['body'], scope).value as string;
    }
    return runtime.string(text);
  }

  private assign(node: SyntaxNode, environment: JinjaEnvironment): RuntimeValue {
    const [assignee, value] = [node['assignee'] as SyntaxNode, node['value'] as SyntaxNode | null];
    if (assignee.type !== 'Identifier' || value === null) return super.evaluate(node, environment);
    environment.setVariable(assignee['value'] as string, this.evaluate(value, environment));
    return runtime.none();
  }

  private member(node: SyntaxNode, environment: JinjaEnvironment): RuntimeValue {
    const property = node['property'] as SyntaxNode;
    if (node['computed'] === true || property.type !== 'Identifier') return super.evaluate(node, environment);
    const object = this.evaluate(node['object'] as SyntaxNode, environment);
    const name = property['value'] as string;
    if (object.type === 'UndefinedValue') throw new Error(`an undefined value has no attribute '${name}'`);
    const entry = isDict(object) || object.type === 'NamespaceValue' ? (object.value as ReadonlyMap<string, RuntimeValue>).get(name) : undefined;
    return entry ?? (object as { readonly builtins?: ReadonlyMap<string, RuntimeValue> }).builtins?.get(name) ?? runtime.undefined();
  }

  private binary(node: SyntaxNode, environment: JinjaEnvironment): RuntimeValue {
    const operator = operatorOf(node);
    if (!OWN_OPERATORS.has(operator)) return super.evaluate(node, environment);
    const left = this.evaluate(node['left'] as SyntaxNode, environment);
    if (operator === 'and' || operator === 'or') return truth(left) === (operator === 'or') ? left : this.evaluate(node['right'] as SyntaxNode, environment);
    const right = this.evaluate(node['right'] as SyntaxNode, environment);
    return operator === '-' || operator === '>' ? integers(operator, left, right) : runtime.boolean(equal(left, right) === (operator === '=='));
  }

  private test(node: SyntaxNode, environment: JinjaEnvironment): RuntimeValue {
    const test = environment.tests.get((node['test'] as SyntaxNode)['value'] as string);
    if (test === undefined) return super.evaluate(node, environment);
    return runtime.boolean(test(this.evaluate(node['operand'] as SyntaxNode, environment)) !== node['negate']);
  }
}

const OWN_OPERATORS: ReadonlySet<string> = new Set(['==', '!=', 'and', 'or', '-', '>']);

function integers(operator: '-' | '>', left: RuntimeValue, right: RuntimeValue): RuntimeValue {
  const [a, b] = [left.value, right.value];
  if (typeof a !== 'number' || typeof b !== 'number') throw new Error(`'${operator}' not supported between ${left.type} and ${right.type}`);
  if (operator === '>') return runtime.boolean(a > b);
  return left.type === 'IntegerValue' && right.type === 'IntegerValue' ? runtime.integer(a - b) : runtime.float(a - b);
}

const constants = new WeakMap<SyntaxNode, RuntimeValue>();

function constant<T>(node: SyntaxNode, make: (value: T) => RuntimeValue): RuntimeValue {
  const value = constants.get(node) ?? make(node['value'] as T);
  constants.set(node, value);
  return value;
}

function operatorOf(node: SyntaxNode): string {
  return (node['operator'] as { readonly value: string }).value;
}

function truth(value: RuntimeValue): boolean {
  if (isList(value)) return value.value.length > 0;
  return isDict(value) ? value.value.size > 0 : Boolean(value.value);
}

function equal(left: RuntimeValue, right: RuntimeValue): boolean {
  if (isList(left) && isList(right)) return left.value.length === right.value.length && left.value.every((item, index) => equal(item, right.value[index] ?? runtime.undefined()));
  if (isDict(left) && isDict(right)) return left.value.size === right.value.size && [...left.value].every(([key, entry]) => equal(entry, right.value.get(key) ?? runtime.undefined()));
  // True is 1 and False is 0, as in Python.
  const [a, b] = [left.value, right.value].map((value) => (typeof value === 'boolean' ? Number(value) : value));
  return a === b;
}

function itemsOf(value: RuntimeValue): readonly RuntimeValue[] {
  if (isList(value)) return value.value;
  if (isDict(value)) return [...value.value.keys()].map((key) => runtime.string(key));
  if (isString(value)) return [...value.value].map((character) => runtime.string(character));
  throw new Error(`a ${value.type} is not iterable`);
}

const early = new WeakMap<SyntaxNode, boolean>();

function leavesEarly(node: SyntaxNode): boolean {
  const known = early.get(node) ?? holds(node['body'], ['Break', 'Continue']);
  early.set(node, known);
  return known;
}

function holds(value: unknown, types: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((entry) => holds(entry, types));
  if (typeof value !== 'object' || value === null) return false;
  return types.includes((value as SyntaxNode).type) || Object.values(value).some((child) => holds(child, types));
}

/** Counts are made when asked for: a template uses one or two of them. */
function loopValue(items: readonly RuntimeValue[], index: number): RuntimeValue {
  return runtime.dict(new LoopEntries(items, index));
}

class LoopEntries extends Map<string, RuntimeValue> {
  constructor(private readonly items: readonly RuntimeValue[], private readonly index: number) {
    super();
  }

  override get(name: string): RuntimeValue | undefined {
    const { items, index } = this;
    switch (name) {
      case 'index': return runtime.integer(index + 1);
      case 'index0': return runtime.integer(index);
      case 'revindex': return runtime.integer(items.length - index);
      case 'revindex0': return runtime.integer(items.length - index - 1);
      case 'first': return runtime.boolean(index === 0);
      case 'last': return runtime.boolean(index === items.length - 1);
      case 'length': return runtime.integer(items.length);
      case 'previtem': return items[index - 1] ?? runtime.undefined();
      case 'nextitem': return items[index + 1] ?? runtime.undefined();
      default: return undefined;
    }
  }
}
