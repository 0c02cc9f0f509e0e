import { AgentError, type TemplateMessage, type TemplateRequest, type ToolDefinition } from '@turnwright/contracts';
import type { Guard } from './guard.js';
import { runtime, type RuntimeValue } from './jinja-library.js';
import { parseJson, toJsonValue, type JsonValue } from './json-value.js';
import { toRuntimeValue } from './runtime-values.js';

/** How a template wants a call's arguments: as JSON text that it prints, or as a mapping that it walks. */
export type ArgumentsAs = 'text' | 'mapping';

/** The variables that a template sees for a request, as transformers' apply_chat_template passes them. */
export function requestValues(request: TemplateRequest, argumentsAs: ArgumentsAs, guard: Guard | undefined): Map<string, RuntimeValue> {
  const text = guard === undefined ? undefined : (value: string) => guard.apply(value);
  const values = new Map<string, RuntimeValue>([
    ['messages', runtime.list(request.messages.map((message) => rememberedMessage(message, argumentsAs, guard)))],
    ['tools', request.tools === undefined ? runtime.none() : runtime.list(request.tools.map((tool) => toRuntimeValue(toolValue(tool), text)))],
    ['documents', runtime.none()],
    ['add_generation_prompt', runtime.boolean(request.addGenerationPrompt)],
  ]);
  for (const [name, value] of Object.entries(request.variables ?? {})) values.set(name, toRuntimeValue(toJsonValue(value)));
  return values;
}

/** A tool as transformers takes it: an object with `type` and `function`. */
function toolValue(tool: ToolDefinition): JsonValue {
  const definition = tool.source === undefined ? definitionOf(tool) : parseJson(tool.source);
  if (definition instanceof Map && definition.get('type') === 'function' && definition.has('function')) return definition;
  return new Map<string, JsonValue>([['type', 'function'], ['function', definition]]);
}

function definitionOf({ name, description, parameters }: ToolDefinition): JsonValue {
  const entries: [string, JsonValue][] = [['name', name]];
  if (description !== undefined) entries.push(['description', description]);
  if (parameters !== undefined) entries.push(['parameters', toJsonValue(parameters)]);
  return new Map(entries);
}

type Text = ((value: string) => string) | undefined;

const remembered = new WeakMap<TemplateMessage, Map<Guard | undefined, RuntimeValue>>();

/** Templates cannot change a message, so its value serves every rendering; a session's guard stays the same object. */
function rememberedMessage(message: TemplateMessage, argumentsAs: ArgumentsAs, guard: Guard | undefined): RuntimeValue {
  const known = remembered.get(message) ?? new Map<Guard | undefined, RuntimeValue>();
  remembered.set(message, known);
  const value = known.get(guard) ?? messageValue(message, argumentsAs, guard === undefined ? undefined : (text) => guard.apply(text));
  known.set(guard, value);
  return value;
}

function messageValue(message: TemplateMessage, argumentsAs: ArgumentsAs, text: Text): RuntimeValue {
  const entries = new Map<string, RuntimeValue>();
  const put = (key: string, value: string | undefined): void => {
    if (value !== undefined) entries.set(key, runtime.string(text === undefined ? value : text(value)));
  };
  put('role', message.role);
  put('content', message.content);
  put('reasoning_content', message.reasoning_content);
  if (message.tool_calls !== undefined) entries.set('tool_calls', runtime.list(message.tool_calls.map((call) => callValue(call, argumentsAs, text))));
  put('tool_call_id', message.tool_call_id);
  return runtime.dict(entries);
}

type Call = NonNullable<TemplateMessage['tool_calls']>[number];

function callValue(call: Call, argumentsAs: ArgumentsAs, text: Text): RuntimeValue {
  const plain = (value: string): RuntimeValue => runtime.string(text === undefined ? value : text(value));
  const argumentsValue = argumentsAs === 'text' ? plain(call.function.arguments) : toRuntimeValue(argumentsMapping(call), text);
  const entries = new Map<string, RuntimeValue>();
  if (call.id !== undefined) entries.set('id', plain(call.id));
  entries.set('type', runtime.string('function'));
  entries.set('function', runtime.dict(new Map([['name', plain(call.function.name)], ['arguments', argumentsValue]])));
  return runtime.dict(entries);
}

function argumentsMapping(call: Call): JsonValue {
  const value = parseArguments(call);
  if (value instanceof Map) return value;
  throw new AgentError('template-failed', `The arguments of the call "${call.function.name}" are no JSON object, which the template needs: ${call.function.arguments.slice(0, 80)}`);
}

function parseArguments(call: Call): JsonValue | undefined {
  try {
    return parseJson(call.function.arguments);
  } catch {
    return undefined;
  }
}
