import type { ChatTemplate, TemplateMessage, TemplateRequest, ToolDefinition } from '@turnwright/contracts';
import type { Guard } from './guard.js';
import { isJinjaChatTemplate } from './chat-template.js';

/**
 * Renders a request whose content is guarded.
 *
 * Our own templates do it themselves, so that their decisions do not change; any other one gets guarded strings.
 */
export function renderGuarded(template: ChatTemplate, request: TemplateRequest, guard: Guard | undefined): string {
  if (guard === undefined) return template.render(request);
  if (isJinjaChatTemplate(template)) return template.render(request, guard);
  return template.render({
    ...request,
    messages: request.messages.map((message) => guardedMessage(message, guard)),
    ...(request.tools === undefined ? {} : { tools: request.tools.map((tool) => guardedTool(tool, guard)) }),
  });
}

function guardedMessage(message: TemplateMessage, guard: Guard): TemplateMessage {
  const { reasoning_content: reasoning, tool_calls: calls } = message;
  return {
    ...message,
    content: guard.apply(message.content),
    ...(reasoning === undefined ? {} : { reasoning_content: guard.apply(reasoning) }),
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => ({ ...call, function: { name: guard.apply(call.function.name), arguments: guard.apply(call.function.arguments) } })) }),
  };
}

function guardedTool(tool: ToolDefinition, guard: Guard): ToolDefinition {
  const source = tool.source ?? JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters });
  return { ...tool, name: guard.apply(tool.name), source: guard.apply(source) };
}
