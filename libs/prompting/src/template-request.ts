import { AgentError, type TemplateMessage, type TemplateRequest, type ToolDefinition } from '@turnwright/contracts';
import { parseJson, toJsonValue, type JsonValue } from './json-value.js';
import { fromJson, marked, plain, type MakeText } from './python/from-json.js';
import { servedMessage, servedTools, type ServerProfile } from './server-profile.js';
import { Dict, type Value } from './python/values.js';
import { continueList, sharedLength } from './shared-lists.js';

/** How a template wants a call's arguments: as JSON text that it prints, or as a mapping that it walks. */
export type ArgumentsAs = 'text' | 'mapping';

/** Whether the request's texts stay known as such in what is rendered. */
export type Marking = 'plain' | 'marked';

/** How a template wants what messages have several shapes or names for. */
export interface MessageForm {
  readonly argumentsAs: ArgumentsAs;
  readonly reasoningAs: 'reasoning_content' | 'reasoning' | 'thinking';
}

/** How a request becomes values. */
export interface RequestForm extends MessageForm {
  readonly marking: Marking;
  readonly server: ServerProfile;
}

/** The variables that a template sees for a request, as transformers' apply_chat_template passes them. */
export function requestValues(request: TemplateRequest, form: RequestForm, before?: MessageValues): Map<string, Value> {
  const { tools } = request;
  const remember = rememberedBy(form);
  const valueOf = (message: TemplateMessage): Value => remember(message, () => messageValue(message, form));
  const values = new Map<string, Value>([
    ['messages', before === undefined ? request.messages.map(valueOf) : before.of(request.messages, valueOf)],
    ['tools', tools === undefined ? null : remember(tools, () => toolsValue(tools, form))],
    ['documents', null],
    ['add_generation_prompt', request.addGenerationPrompt],
  ]);
  for (const [name, value] of Object.entries(request.variables ?? {})) values.set(name, fromJson(toJsonValue(value), plain));
  return values;
}

/** The values of the last request's messages, with which the next one begins. */
export class MessageValues {
  private messages: readonly TemplateMessage[] = [];
  private values: readonly Value[] = [];

  of(messages: readonly TemplateMessage[], valueOf: (message: TemplateMessage) => Value): readonly Value[] {
    const shared = sharedLength(messages, this.messages);
    this.values = continueList(this.values, shared, messages.slice(shared).map(valueOf));
    this.messages = messages;
    return this.values;
  }
}

const makers: Readonly<Record<Marking, MakeText>> = { plain, marked };

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

type Remember = (key: object, make: () => Value) => Value;

const known = new Map<string, Remember>();

/** Templates cannot change a message, so its value serves every rendering of the same form. */
function rememberedBy({ argumentsAs, reasoningAs, marking, server }: RequestForm): Remember {
  const form = `${argumentsAs} ${reasoningAs} ${marking} ${server}`;
  const remember = known.get(form) ?? createRemember();
  known.set(form, remember);
  return remember;
}

function createRemember(): Remember {
  const values = new WeakMap<object, Value>();
  return (key, make) => {
    const before = values.get(key);
    if (before !== undefined) return before;
    const value = make();
    values.set(key, value);
    return value;
  };
}

function toolsValue(tools: readonly ToolDefinition[], form: RequestForm): Value {
  return fromJson(servedTools(form.server, tools.map(toolValue)), makers[form.marking]);
}

function dict(entries: readonly (readonly [string, Value | undefined])[]): Dict {
  const made = new Dict();
  for (const [key, value] of entries) if (value !== undefined) made.set(key, key, value);
  return made;
}

function messageValue(message: TemplateMessage, { argumentsAs, reasoningAs, marking, server }: RequestForm): Value {
  const make = makers[marking];
  if (server !== 'transformers') return servedValue(message, server, make);
  const text = (value: string | undefined): Value | undefined => (value === undefined ? undefined : make(value));
  return dict([
    ['role', message.role],
    ['content', text(message.content)],
    [reasoningAs, text(message.reasoning_content)],
    ['tool_calls', message.tool_calls?.map((call) => callValue(call, argumentsAs, make))],
    ['tool_call_id', text(message.tool_call_id)],
  ]);
}

/** The message as a client sends it, with arguments as JSON text, and what the server makes of that. */
function servedValue(message: TemplateMessage, server: ServerProfile, make: MakeText): Value {
  const value = fromJson(servedMessage(server, toJsonValue(message)), make);
  // A role is no text of the request's: a template compares it and prints it as its own.
  if (value instanceof Dict) value.set('role', 'role', message.role);
  return value;
}

type Call = NonNullable<TemplateMessage['tool_calls']>[number];

function callValue(call: Call, argumentsAs: ArgumentsAs, make: MakeText): Value {
  const argumentsValue = argumentsAs === 'text' ? make(call.function.arguments) : fromJson(argumentsMapping(call), make);
  return dict([
    ['id', call.id === undefined ? undefined : make(call.id)],
    ['type', 'function'],
    ['function', dict([['name', make(call.function.name)], ['arguments', argumentsValue]])],
  ]);
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
