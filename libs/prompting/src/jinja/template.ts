import { startMeter } from '../python/meter.js';
import { isList, PythonError, type Value } from '../python/values.js';
import { Frame, Run } from './frame.js';
import { normaliseNewlines, TemplateSyntaxFault } from './lexer.js';
import { parseTemplate } from './parser.js';
import type { RenderMemo } from './render-memo.js';
import type { Rendering } from './rendering.js';
import { Scope } from './scope.js';
import { compileBody } from './statement-compiler.js';

/** Runs a template; with a memo, what its loops did for the same items is not done again. */
export type RunTemplate = (values: ReadonlyMap<string, Value>, memo?: RenderMemo) => Rendering;

/** A template that failed, with Python's words for it and the place in the template. */
export class TemplateFault extends Error {
  constructor(readonly type: string, readonly reason: string, readonly line: number, readonly column: number, options?: ErrorOptions) {
    super(`${reason} (line ${line}, column ${column})`, options);
  }
}

/** Compiles a template's text to a function of its variables. throws TemplateFault, as does the function */
export function compileTemplate(text: string): RunTemplate {
  const located = <T>(action: () => T, offset: () => number): T => {
    try {
      return action();
    } catch (cause) {
      throw faultOf(cause, text, offset());
    }
  };
  const compiled = located(() => {
    const body = parseTemplate(text);
    const scope = new Scope(undefined, body);
    return { execute: compileBody(body, scope), scope };
  }, () => 0);
  return (values, memo) => {
    const run = new Run(values, memo);
    const messages = values.get('messages');
    startMeter(messages !== undefined && isList(messages) ? messages.length : 0);
    return located(() => {
      run.outermost = new Frame(run, undefined, compiled.scope.size);
      compiled.execute(run.outermost);
      return run.finish();
    }, () => run.offset);
  };
}

function faultOf(cause: unknown, text: string, runOffset: number): unknown {
  if (cause instanceof RangeError) return placed('RecursionError', 'maximum recursion depth exceeded, or a value too large', text, runOffset, cause);
  if (cause instanceof PythonError) return placed(cause.type, cause.message, text, runOffset, cause);
  return cause instanceof TemplateSyntaxFault ? placed(cause.type, cause.message, text, cause.offset, cause) : cause;
}

function placed(type: string, reason: string, text: string, offset: number, cause: unknown): TemplateFault {
  const before = normaliseNewlines(text).slice(0, offset);
  return new TemplateFault(type, reason, before.split('\n').length, offset - before.lastIndexOf('\n'), { cause });
}
