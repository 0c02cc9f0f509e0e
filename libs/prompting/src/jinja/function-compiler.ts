import { TextBuilder } from '../python/data-text.js';
import { spend } from '../python/meter.js';
import { Callable, Dict, orElse, PythonError, Tuple, typeError, Undefined, type Arguments, type Keywords, type Str } from '../python/values.js';
import { compileExpression } from './expression-compiler.js';
import { Frame, type Execute, type Run } from './frame.js';
import type { Body, Parameter } from './nodes.js';
import { Scope } from './scope.js';

/** What running `write` writes. */
export function captured(run: Run, write: () => void): Str {
  const outer = run.out;
  run.out = new TextBuilder();
  try {
    write();
    return run.out.build();
  } finally {
    run.out = outer;
  }
}

const DEEPEST_CALLS = 200;
const CALL_STEPS = 4;

interface Function {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body;
}

/** A function that runs a body with its parameters in a frame of their own. */
export function compileFunction({ name, parameters, body }: Function, scope: Scope, compileBody: (body: Body, scope: Scope) => Execute): (frame: Frame) => Callable {
  const inner = new Scope(scope, body, { names: [...parameters.map((parameter) => parameter.name), 'caller', 'varargs', 'kwargs'] });
  const slots = parameters.map((parameter) => inner.declare(parameter.name));
  const defaults = parameters.map(({ otherwise }) => (otherwise === undefined ? undefined : compileExpression(otherwise, inner)));
  const [callerSlot, restSlot, namedSlot] = [inner.declare('caller'), inner.declare('varargs'), inner.declare('kwargs')];
  const takes = JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? '' : value));
  const [takesRest, takesNamed] = [takes.includes('"name":"varargs"'), takes.includes('"name":"kwargs"')];
  const execute = compileBody(body, inner);
  const bind = (frame: Frame, args: Arguments, keywords: Keywords): void => {
    if (args.length > parameters.length && !takesRest) throw typeError(`macro '${name}' takes not more than ${parameters.length} argument(s)`);
    const others = new Dict();
    for (const [keyword, value] of keywords) {
      if (keyword === 'caller') frame.slots[callerSlot] = value;
      else if (!parameters.some((parameter) => parameter.name === keyword)) others.set(keyword, keyword, value);
    }
    const [unknown] = others.entries.keys();
    if (unknown !== undefined && !takesNamed) throw typeError(`macro '${name}' takes no keyword argument '${String(unknown)}'`);
    frame.slots[restSlot] = new Tuple(args.slice(parameters.length));
    frame.slots[namedSlot] = others;
    for (const [index, parameter] of parameters.entries()) {
      frame.slots[slots[index] ?? 0] = orElse(args[index], () => orElse(keywords.get(parameter.name), () => orElse(defaults[index]?.(frame), () => new Undefined(`parameter '${parameter.name}' was not provided`))));
    }
  };
  return (outer) => new Callable(name, (args, keywords) => {
    const { run } = outer;
    spend(CALL_STEPS);
    if (++run.depth > DEEPEST_CALLS) throw new PythonError('RecursionError', 'maximum recursion depth exceeded');
    const frame = new Frame(run, outer, inner.size);
    bind(frame, args, keywords);
    const text = captured(run, () => execute(frame));
    run.depth--;
    return text;
  }, body);
}

