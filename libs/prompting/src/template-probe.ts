import { AgentError, type ChatTemplate, type TemplateMessage, type TemplateRequest } from '@turnwright/contracts';

/** A rendering, or undefined where the template refuses the request. */
export function tryRender(template: ChatTemplate, messages: readonly TemplateMessage[], rest: Partial<TemplateRequest> = {}): string | undefined {
  try {
    return template.render({ messages, addGenerationPrompt: false, ...rest });
  } catch (error) {
    if (error instanceof AgentError && error.code === 'template-failed') return undefined;
    throw error;
  }
}

export const QUESTION: TemplateMessage = { role: 'user', content: 'Question' };
const CONTENT = 'Zrq';
/** MiniMax's is `[e~[`. */
const MARKER = /^\s*(<[^<>\n]+>|\[[/A-Z_]+\]|\[[^\s[\]]+\[)/;

/** The marker that a template writes right after a reply. */
export function deriveEndOfTurn(template: ChatTemplate): string | undefined {
  const rendered = tryRender(template, [QUESTION, { role: 'assistant', content: CONTENT }]);
  const after = rendered?.slice(rendered.lastIndexOf(CONTENT) + CONTENT.length);
  return after === undefined ? undefined : MARKER.exec(after)?.[1];
}

/** The marker that ends a reply in history, of a template that leaves a last reply open; none where the next question's opener follows. */
export function deriveEndInHistory(template: ChatTemplate): string | undefined {
  const [question, rendered] = [tryRender(template, [QUESTION]), tryRender(template, [QUESTION, { role: 'assistant', content: CONTENT }, QUESTION])];
  const marker = rendered === undefined ? undefined : MARKER.exec(rendered.slice(rendered.lastIndexOf(CONTENT) + CONTENT.length))?.[1];
  return marker === undefined || question?.includes(marker) === true ? undefined : marker;
}

/** What a template writes where the model begins. */
export function generationPrompt(template: ChatTemplate): string | undefined {
  const [without, withPrompt] = [tryRender(template, [QUESTION]), tryRender(template, [QUESTION], { addGenerationPrompt: true })];
  return without !== undefined && withPrompt?.startsWith(without) === true ? withPrompt.slice(without.length) : undefined;
}
