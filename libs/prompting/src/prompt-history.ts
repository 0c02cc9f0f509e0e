import type { PromptNode, TemplateMessage } from '@turnwright/contracts';
import { convertMessage } from './template-messages.js';
import type { TextAnalyser, TextAnalysis } from './text-analysis.js';

/** What is known of a prompt, up to and with its last message. */
export interface PromptHistory {
  readonly parent: PromptHistory | undefined;
  /** Of the last message. */
  readonly messages: readonly TemplateMessage[];
  /** Messages on the path, this one's included. */
  readonly length: number;
  readonly analysis: TextAnalysis;
  readonly asks: boolean;
  readonly mediaOmitted: boolean;
}

/** Reads prompts; a node is converted and looked at once, whichever prompts share it. */
export function createHistories(analyser: TextAnalyser): (head: PromptNode | undefined) => PromptHistory | undefined {
  const known = new WeakMap<PromptNode, PromptHistory>();
  return (head) => {
    const fresh: PromptNode[] = [];
    let node = head;
    for (; node !== undefined && !known.has(node); node = node.parent) fresh.push(node);
    let history = node === undefined ? undefined : known.get(node);
    for (const next of fresh.reverse()) known.set(next, (history = continued(history, next, analyser)));
    return history;
  };
}

/** Makes the messages of prompts, first to last; those of a prompt that continues the one before begin with its messages. */
export function createMessageLists(): (history: PromptHistory | undefined) => readonly TemplateMessage[] {
  let last: { readonly history: PromptHistory | undefined; readonly messages: readonly TemplateMessage[] } = { history: undefined, messages: [] };
  return (history) => {
    const fresh: PromptHistory[] = [];
    let entry = history;
    for (; entry !== undefined && entry !== last.history; entry = entry.parent) fresh.push(entry);
    const messages = (entry === undefined ? [] : last.messages).concat(...fresh.reverse().map((added) => added.messages));
    last = { history, messages };
    return messages;
  };
}

function continued(parent: PromptHistory | undefined, { message }: PromptNode, analyser: TextAnalyser): PromptHistory {
  const { messages, mediaOmitted } = convertMessage(message);
  const analyses = messages.map((entry) => analyser.message(entry));
  return {
    parent,
    messages,
    length: (parent?.length ?? 0) + messages.length,
    analysis: joinAnalyses(parent === undefined ? analyses : [parent.analysis, ...analyses]),
    asks: (parent?.asks ?? false) || messages.some((entry) => entry.role === 'user'),
    mediaOmitted: (parent?.mediaOmitted ?? false) || mediaOmitted,
  };
}

export function joinAnalyses(analyses: readonly TextAnalysis[]): TextAnalysis {
  return { controlText: analyses.some((analysis) => analysis.controlText) };
}
