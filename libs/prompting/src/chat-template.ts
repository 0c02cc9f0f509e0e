import { createHash } from 'node:crypto';
import { AgentError, type ChatTemplate, type TemplateRequest } from '@turnwright/contracts';
import type { Guard } from './guard.js';
import { JinjaEnvironment, parse, runtime, tokenize, type RuntimeFunction, type RuntimeValue, type SyntaxNode } from './jinja-library.js';
import { toJsonValue, type JsonValue } from './json-value.js';
import { PythonInterpreter } from './python-interpreter.js';
import { pythonFunctions } from './python-methods.js';
import { acceptsArgumentText, rewriteForPython } from './python-rewrite.js';
import { pythonStr, toRuntimeValue } from './runtime-values.js';
import { requestValues, type ArgumentsAs } from './template-request.js';

export interface TemplateOptions {
  readonly name: string;
  /** The Jinja text. */
  readonly text: string;
  /** Where the text comes from. */
  readonly source: string;
  readonly endOfTurn: string;
  /** What the tokenizer passes besides a request's own variables, such as `bos_token`. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Default: as text when the template asks `arguments is string`, else as a mapping. */
  readonly argumentsAs?: ArgumentsAs;
}

/** A template that can tell the text of its request from its own, and be run on raw values. */
export interface JinjaChatTemplate extends ChatTemplate {
  /** With a guard, every string of the request is guarded, and what looks into strings does not see the sentinels. */
  render(request: TemplateRequest, guard?: Guard): string;
  /** Renders variables as they are, for messages that are more than a TemplateMessage can say. */
  renderValues(values: ReadonlyMap<string, JsonValue>): string;
}

export function isJinjaChatTemplate(template: ChatTemplate): template is JinjaChatTemplate {
  return 'renderValues' in template;
}

/**
 * A chat template from its text, run as transformers runs it, as far as the Qwen templates go.
 *
 * A template reaches the values that it is given and nothing else: no clock, no files.
 * throws AgentError `template-failed` when the text does not parse
 */
export function loadTemplate(options: TemplateOptions): JinjaChatTemplate {
  const { name, text, source, endOfTurn } = options;
  const { program, argumentsAs } = failingAs(name, () => compile(options));
  const fixed = Object.entries(options.variables ?? {}).map(([key, value]) => [key, toRuntimeValue(toJsonValue(value))] as const);
  const run = (values: ReadonlyMap<string, RuntimeValue>, guard: Guard | undefined): string => {
    const environment = new JinjaEnvironment(globals(guard?.sentinel));
    for (const [key, value] of [...fixed, ...values]) environment.setVariable(key, value);
    return new PythonInterpreter(environment).run(program).value as string;
  };
  return {
    name,
    source,
    endOfTurn,
    text,
    fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 16),
    render: (request, guard) => failingAs(name, () => run(requestValues(request, argumentsAs, guard), guard)),
    renderValues: (values) => failingAs(name, () => run(new Map([...values].map(([key, value]) => [key, toRuntimeValue(value)])), undefined)),
  };
}

function compile({ text, argumentsAs }: TemplateOptions): { readonly program: SyntaxNode; readonly argumentsAs: ArgumentsAs } {
  const tree = parse(tokenize(text, { lstrip_blocks: true, trim_blocks: true }));
  const wanted = argumentsAs ?? (acceptsArgumentText(tree) ? 'text' : 'mapping');
  return { program: rewriteForPython(tree), argumentsAs: wanted };
}

function failingAs<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AgentError('template-failed', `Template "${name}": ${reason}`, { fields: { name, reason }, cause });
  }
}

/** The names that every template finds; those of the library that it does not export are made here. */
function globals(sentinel: string | undefined): JinjaEnvironment {
  const environment = new JinjaEnvironment();
  for (const [spelling, value] of CONSTANTS) environment.set(spelling, value);
  environment.setVariable('raise_exception', runtime.function(([message]) => {
    throw new Error(pythonStr(message ?? runtime.undefined()));
  }));
  environment.setVariable('range', runtime.function(range));
  for (const [spelling, body] of pythonFunctions(sentinel)) environment.setVariable(spelling, runtime.function(body));
  return environment;
}

const CONSTANTS = [['true', true], ['True', true], ['false', false], ['False', false], ['none', null], ['None', null]] as const;
const LONGEST_RANGE = 100_000;

const range: RuntimeFunction = (args) => {
  const [first = 0, second, step = 1] = args.map((value) => value.value as number);
  const [start, end] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new Error('range() arg 3 must not be zero');
  const count = Math.max(0, Math.ceil((end - start) / step));
  if (count > LONGEST_RANGE) throw new Error(`Range too big. The sandbox blocks ranges larger than ${LONGEST_RANGE}.`);
  return runtime.list(Array.from({ length: count }, (_, index) => runtime.integer(start + index * step)));
};
