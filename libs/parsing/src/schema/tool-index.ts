import type { JsonSchema, ToolDefinition } from '@turnwright/contracts';
import { isRecord, typesOf, type JsonType } from './argument-types.js';

/** The tools of a request, for looking up names and parameter types while reading. */
export class ToolIndex {
  private readonly byName = new Map<string, ToolDefinition>();
  private readonly types = new Map<string, ReadonlyMap<string, ReadonlySet<JsonType> | undefined>>();

  constructor(tools: readonly ToolDefinition[]) {
    for (const tool of tools) if (!this.byName.has(tool.name)) this.byName.set(tool.name, tool);
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** Whether the tool's schema names the parameter. */
  declares(tool: string, parameter: string): boolean {
    return this.parametersOf(tool).has(parameter);
  }

  /** Types of a parameter; undefined when it is not declared or its schema names none. */
  typesOf(tool: string, parameter: string): ReadonlySet<JsonType> | undefined {
    return this.parametersOf(tool).get(parameter);
  }

  /** The schema of a tool's arguments. */
  schemaOf(tool: string): JsonSchema | undefined {
    return this.byName.get(tool)?.parameters;
  }

  private parametersOf(tool: string): ReadonlyMap<string, ReadonlySet<JsonType> | undefined> {
    let types = this.types.get(tool);
    if (types === undefined) {
      types = parameterTypes(this.byName.get(tool)?.parameters);
      this.types.set(tool, types);
    }
    return types;
  }
}

function parameterTypes(schema: JsonSchema | undefined): ReadonlyMap<string, ReadonlySet<JsonType> | undefined> {
  const types = new Map<string, ReadonlySet<JsonType> | undefined>();
  const properties = schema?.['properties'];
  if (isRecord(properties)) for (const [parameter, property] of Object.entries(properties)) types.set(parameter, typesOf(property, schema));
  return types;
}
