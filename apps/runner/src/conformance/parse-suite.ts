import { z } from 'zod';
import type { ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { parseModelOutput, type NameRegistry } from '@turnwright/parsing';

const requestSchema = z.object({
  format: z.string().nullish(),
  reasoning: z.string().nullish(),
  tools: z.array(z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()).nullish() })).nullish(),
  text: z.string().nullish(),
  chunks: z.array(z.string()).nullish(),
  split: z.union([z.string(), z.number()]).default('whole'),
  promptOpensReasoning: z.boolean().nullish(),
  thinking: z.boolean().nullish(),
  finishReason: z.string().nullish(),
  callsInReasoning: z.enum(['auto', 'always', 'never']).nullish(),
});

export interface ParseSuiteServices {
  readonly formats: NameRegistry<ToolFormat>;
  readonly reasoning: NameRegistry<ReasoningFormat>;
  readonly fallbacks: readonly ToolFormat[];
}

/** Answers one request of the `parse` suite. throws AgentError `unknown-name`; zod's error for a wrong shape */
export function answerParseRequest(request: unknown, services: ParseSuiteServices): Record<string, unknown> {
  const asked = requestSchema.parse(request);
  const format = asked.format == null ? undefined : services.formats.get(asked.format);
  const reasoningName = asked.reasoning ?? format?.reasoning ?? 'think';
  const output = parseModelOutput(cut(asked.chunks ?? asked.text ?? '', asked.split), {
    ...(format === undefined ? {} : { format, fallbacks: services.fallbacks.filter((fallback) => fallback !== format) }),
    reasoning: services.reasoning.get(reasoningName),
    tools: (asked.tools ?? []).map(({ name, parameters }) => ({ name, ...(parameters == null ? {} : { parameters }) })),
    promptOpensReasoning: asked.promptOpensReasoning ?? false,
    ...(asked.thinking == null ? {} : { thinking: asked.thinking }),
    callsInReasoning: asked.callsInReasoning ?? 'auto',
    outputEnd: asked.finishReason === 'length' ? 'length' : 'stop',
  });
  return {
    events: output.items.map((item) => (item.kind === 'tool-call' ? { kind: 'tool_call', name: item.name, arguments: item.arguments } : item)),
    content: output.text,
    reasoning: output.reasoning,
    calls: output.attempts.filter(({ status }) => status === 'ok' || status === 'repaired').map(({ id, name, arguments: text, status }) => ({ ...(id === undefined ? {} : { id }), name, arguments: text, status })),
    attempts: output.attempts,
    diagnostics: output.diagnostics,
  };
}

/** `whole`, `char` (code points), a number of code points, `at:k` (two pieces), `chunks` as given. */
function cut(given: string | readonly string[], split: string | number): readonly string[] {
  if (typeof given !== 'string') return split === 'chunks' ? given : cut(given.join(''), split);
  if (split === 'whole' || split === 'chunks') return [given];
  if (typeof split === 'string' && split.startsWith('at:')) {
    const at = Number(split.slice(3));
    return [given.slice(0, at), given.slice(at)];
  }
  const size = split === 'char' ? 1 : Number(split);
  const points = Array.from(given);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => points.slice(index * size, (index + 1) * size).join(''));
}
