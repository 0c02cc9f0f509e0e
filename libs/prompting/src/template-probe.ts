import { AgentError, type ChatTemplate, type TemplateMessage, type TemplateRequest, type ToolDefinition } from '@turnwright/contracts';

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
/** A private-use character, which is no part of a marker. */
const RESULT = '\ue002';
const ANSWER: TemplateMessage = { role: 'assistant', content: CONTENT };
const CALL: TemplateMessage = { role: 'assistant', content: '', tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'probe_tool', arguments: '{"a": "Kqz"}' } }] };
const TOOLS: readonly ToolDefinition[] = [{ name: 'probe_tool', description: 'd', parameters: { type: 'object', properties: { a: { type: 'string' } } } }];
const MARKER = String.raw`<[^<>\n]+>|\[[^\[\]\s\ue002]+[\[\]]`;
const FIRST_MARKER = new RegExp(String.raw`^\s*(${MARKER})`);
const LAST_MARKER = new RegExp(String.raw`(${MARKER})\s*$`);

/** The tokens that end a reply. */
export interface EndTokens {
  /** Undefined when the template writes none, not even before the next turn. */
  readonly endOfTurn: string | undefined;
  /** Of a reply with calls, where it is another one. */
  readonly endOfCalls?: string;
}

/**
 * The markers that a template writes right after a reply; where it writes none after a last reply, those that begin what follows, which the
 * model samples as its stop (GLM), or which the template adds only then.
 *
 * `known` is the configuration's end-of-sequence token: it wins over a marker in front of it, which only closes the text.
 */
export function deriveEndTokens(template: ChatTemplate, known?: string): EndTokens {
  const answered = tryRender(template, [QUESTION, ANSWER]);
  const closed = markerBehind(answered, known);
  const endOfTurn = closed ?? markerBehind(tryRender(template, [QUESTION, ANSWER, QUESTION]), undefined);
  const endOfCalls = endOfTurn === undefined ? undefined : callEnd(template, endOfTurn, closed !== undefined);
  return { endOfTurn, ...(endOfCalls === undefined || endOfCalls === endOfTurn ? {} : { endOfCalls }) };
}

/** The marker that a template writes right after a last reply. */
export function deriveEndOfTurn(template: ChatTemplate): string | undefined {
  return markerBehind(tryRender(template, [QUESTION, ANSWER]), undefined);
}

function markerBehind(rendered: string | undefined, known: string | undefined): string | undefined {
  const after = rendered?.slice(rendered.lastIndexOf(CONTENT) + CONTENT.length);
  if (after === undefined) return undefined;
  return known !== undefined && known !== '' && after.includes(known) ? known : FIRST_MARKER.exec(after)?.[1];
}

function callEnd(template: ChatTemplate, endOfTurn: string, closes: boolean): string | undefined {
  const called = tryRender(template, [QUESTION, CALL], { tools: TOOLS })?.trimEnd();
  const at = called?.lastIndexOf('Kqz') ?? -1;
  if (called === undefined || at < 0 || called.indexOf(endOfTurn, at) >= 0) return undefined;
  if (closes) return LAST_MARKER.exec(called)?.[1];
  const followed = tryRender(template, [QUESTION, CALL, { role: 'tool', content: RESULT, tool_call_id: 'abcdefghi' }], { tools: TOOLS });
  return followed?.startsWith(called) === true ? FIRST_MARKER.exec(followed.slice(called.length))?.[1] : undefined;
}

/** The marker that ends a reply in history, of a template that leaves a last reply open; none where the next question's opener follows. */
export function deriveEndInHistory(template: ChatTemplate): string | undefined {
  const [question, rendered] = [tryRender(template, [QUESTION]), tryRender(template, [QUESTION, ANSWER, QUESTION])];
  const marker = markerBehind(rendered, undefined);
  return marker === undefined || question?.includes(marker) === true ? undefined : marker;
}

/** What a template writes where the model begins. */
export function generationPrompt(template: ChatTemplate): string | undefined {
  const [without, withPrompt] = [tryRender(template, [QUESTION]), tryRender(template, [QUESTION], { addGenerationPrompt: true })];
  return without !== undefined && withPrompt?.startsWith(without) === true ? withPrompt.slice(without.length) : undefined;
}
