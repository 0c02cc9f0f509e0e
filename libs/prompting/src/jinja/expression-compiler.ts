import { attributeOf, callOwnMethod, sliceOf } from '../python/attributes.js';
import { compareValues, contains, equal, keyOf, type Ordering } from '../python/compare.js';
import { concatenate, isStr } from '../python/data-text.js';
import { spend } from '../python/meter.js';
import { operate, signed } from '../python/operators.js';
import { toStr } from '../python/print.js';
import { truthy, typeName } from '../python/types.js';
import { spendOn } from '../python/working-size.js';
import { Callable, Dict, isList, PythonError, Tuple, typeError, Undefined, type Value } from '../python/values.js';
import { compileArguments } from './arguments.js';
import { FILTERS, unknownFilter } from './filters.js';
import { compileAttribute, compileItem, compileLength } from './access-compiler.js';
import { compileBoundedComparison } from './bound-compiler.js';
import { compileName } from './name-compiler.js';
import type { Evaluate, Frame } from './frame.js';
import type { BlockFilter, CompareOperator, Expression } from './nodes.js';
import type { Scope } from './scope.js';
import { TESTS } from './tests.js';

type Of<Kind extends Expression['kind']> = Extract<Expression, { readonly kind: Kind }>;

/** A closure that evaluates an expression in a frame of the scope. */
export function compileExpression(node: Expression, scope: Scope): Evaluate {
  const compile = (inner: Expression): Evaluate => compileExpression(inner, scope);
  switch (node.kind) {
    case 'constant': { const { value } = node; return () => value; }
    case 'name': return compileName(node.name, scope);
    case 'tuple': { const items = node.items.map(compile); return (frame) => new Tuple(items.map((item) => item(frame))); }
    case 'list': { const items = node.items.map(compile); return (frame) => items.map((item) => item(frame)); }
    case 'dict': return compileDict(node, compile);
    case 'attribute': return compileAttribute(compile(node.object), node.name);
    case 'item': return compileItem(node, scope);
    case 'slice': return compileSlice(node, compile);
    case 'call': return compileCall(node, compile);
    case 'filter': return compileLength(node, scope) ?? compileFilter(node, compile(node.operand), scope);
    case 'test': return compileTest(node, compile);
    case 'not': { const operand = compile(node.operand); return (frame) => !truthy(operand(frame)); }
    case 'sign': { const [operand, { sign }] = [compile(node.operand), node]; return (frame) => signed(sign, operand(frame)); }
    case 'and': { const [left, right] = [compile(node.left), compile(node.right)]; return (frame) => { const value = left(frame); return truthy(value) ? right(frame) : value; }; }
    case 'or': { const [left, right] = [compile(node.left), compile(node.right)]; return (frame) => { const value = left(frame); return truthy(value) ? value : right(frame); }; }
    case 'binary': return compileBinary(node, compile);
    case 'concat': { const parts = node.parts.map(compile); return (frame) => concatenate(...parts.map((part) => toStr(part(frame)))); }
    case 'compare': return compileBounded(node, scope, compile) ?? compileCompare(node, compile);
    case 'choice': return compileChoice(node, compile);
  }
}

function compileBinary({ operator, left, right }: Of<'binary'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const [first, second] = [compile(left), compile(right)];
  if (operator !== '+' && operator !== '-') return (frame) => operate(operator, first(frame), second(frame));
  const sign = operator === '+' ? 1 : -1;
  return (frame) => {
    const [a, b] = [first(frame), second(frame)];
    // Indices of messages: what templates mostly calculate.
    if (typeof a === 'number' && typeof b === 'number' && Math.abs(a) < SMALL && Math.abs(b) < SMALL) return a + sign * b || 0;
    return operate(operator, a, b);
  };
}

const SMALL = 2 ** 50;

function compileDict({ entries }: Of<'dict'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const compiled = entries.map(([key, value]) => [compile(key), compile(value)] as const);
  return (frame) => {
    const dict = new Dict();
    for (const [keyOfEntry, valueOfEntry] of compiled) {
      const key = keyOfEntry(frame);
      dict.set(keyOf(key), key, valueOfEntry(frame));
    }
    return dict;
  };
}

const NONE: Evaluate = () => null;

function compileSlice(node: Of<'slice'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const object = compile(node.object);
  const [start = NONE, stop = NONE, step = NONE] = [node.start, node.stop, node.step].map((part) => (part === undefined ? undefined : compile(part)));
  return (frame) => sliceOf(object(frame), start(frame), stop(frame), step(frame));
}

function compileCall(node: Of<'call'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const given = compileArguments(node.args, compile);
  const { callee } = node;
  if (callee.kind !== 'attribute') {
    const called = compile(callee);
    return (frame) => callValue(called(frame), given, frame);
  }
  const [object, { name }] = [compile(callee.object), callee];
  return (frame) => {
    const self = object(frame);
    const { args, keywords } = given(frame);
    spendOn(self);
    spend(1);
    const result = callOwnMethod(self, name, args, keywords);
    if (result !== undefined && isList(result)) spend(result.length * PIECE_STEPS);
    return result !== undefined ? result : callValue(attributeOf(self, name), () => ({ args, keywords }), frame);
  };
}

/** What each piece of a text counts that a method makes. */
const PIECE_STEPS = 4;

function callValue(value: Value, given: ReturnType<typeof compileArguments>, frame: Frame): Value {
  if (value instanceof Undefined) value.raise();
  if (!(value instanceof Callable)) throw typeError(`'${typeName(value)}' object is not callable`);
  const { args, keywords } = given(frame);
  spend(1);
  return value.call(args, keywords);
}

/** Applies a filter to what an expression or a block gives. */
export function compileFilter({ name, args, offset }: BlockFilter, operand: Evaluate, scope: Scope): Evaluate {
  const filter = FILTERS.get(name);
  // Jinja compiles a template with an unknown filter and refuses it only where it runs.
  if (filter === undefined) return ({ run }) => { run.offset = offset; throw unknownFilter(name); };
  const given = compileArguments(args, (inner) => compileExpression(inner, scope));
  return (frame) => {
    const value = operand(frame);
    const { args: places, keywords } = given(frame);
    spendOn(value);
    return filter(value, places, keywords);
  };
}

function compileTest({ name, operand, args, offset }: Of<'test'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const test = TESTS.get(name);
  if (test === undefined) return ({ run }) => { run.offset = offset; throw new PythonError('TemplateRuntimeError', `No test named '${name}' found.`); };
  const tested = compile(operand);
  if (args.positional.length === 0) return (frame) => test(tested(frame), []);
  const given = compileArguments(args, compile);
  return (frame) => test(tested(frame), given(frame).args);
}

function compileBounded({ first, rest }: Of<'compare'>, scope: Scope, compile: (inner: Expression) => Evaluate): Evaluate | undefined {
  const [operator, operand] = rest[0] ?? [];
  if (rest.length !== 1 || operand === undefined || (operator !== '<' && operator !== '<=' && operator !== '>' && operator !== '>=')) return undefined;
  return compileBoundedComparison(operator, first, operand, scope, compile);
}

function compileCompare({ first, rest }: Of<'compare'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const start = compile(first);
  const steps = rest.map(([operator, operand]) => [COMPARISONS[operator], compile(operand)] as const);
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) {
    const [holds, operand] = only;
    const [operator, right] = rest[0] ?? [];
    if (right?.kind === 'constant' && typeof right.value === 'string' && (operator === '==' || operator === '!=')) return compileTextComparison(start, right.value, operator === '==');
    return (frame) => holds(start(frame), operand(frame));
  }
  return (frame) => {
    let left = start(frame);
    for (const [holds, operand] of steps) {
      const right = operand(frame);
      if (!holds(left, right)) return false;
      left = right;
    }
    return true;
  };
}

/** Roles, mostly. */
function compileTextComparison(left: Evaluate, text: string, equals: boolean): Evaluate {
  return (frame) => {
    const value = left(frame);
    return (typeof value === 'string' ? value === text : isStr(value) && value.text === text) === equals;
  };
}

const ordered = (operator: Ordering, holds: (order: number) => boolean) => (left: Value, right: Value): boolean => holds(compareValues(operator, left, right));

const COMPARISONS: Readonly<Record<CompareOperator, (left: Value, right: Value) => boolean>> = {
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '<': ordered('<', (order) => order < 0),
  '<=': ordered('<=', (order) => order <= 0),
  '>': ordered('>', (order) => order > 0),
  '>=': ordered('>=', (order) => order >= 0),
  in: (left, right) => contains(right, left),
  'not in': (left, right) => !contains(right, left),
};

function compileChoice(node: Of<'choice'>, compile: (inner: Expression) => Evaluate): Evaluate {
  const [test, then] = [compile(node.test), compile(node.then)];
  const otherwise = node.otherwise === undefined ? () => new Undefined('the inline if-expression evaluated to false and no else section was defined.') : compile(node.otherwise);
  return (frame) => (truthy(test(frame)) ? then(frame) : otherwise(frame));
}
