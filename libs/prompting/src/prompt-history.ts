import type { PromptNode, TemplateMessage } from '@turnwright/contracts';
import { continueList } from './shared-lists.js';
import type { MessageConverter } from './template-messages.js';
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
export function createHistories(analyser: TextAnalyser, convert: MessageConverter): (head: PromptNode | undefined) => PromptHistory | undefined {
  const known = new WeakMap<PromptNode, PromptHistory>();
  return (head) => {
    const fresh: PromptNode[] = [];
    let node = head;
    for (; node !== undefined && !known.has(node); node = node.parent) fresh.push(node);
    let history = node === undefined ? undefined : known.get(node);
    for (const next of fresh.reverse()) known.set(next, (history = continued(history, next, analyser, convert)));
    return history;
  };
}

/** Makes the messages of prompts, the system message first; those of a prompt that continues the one before begin with its messages. */
export function createMessageLists(): (system: readonly TemplateMessage[], history: PromptHistory | undefined) => readonly TemplateMessage[] {
  let last: { readonly system: TemplateMessage | undefined; readonly history: PromptHistory | undefined; readonly messages: readonly TemplateMessage[] } = { system: undefined, history: undefined, messages: [] };
  return (system, history) => {
    const same = last.system === system[0];
    const fresh: PromptHistory[] = [];
    let entry = history;
    // Of the last prompt's path, what this one continues; when it went another way, nothing of it.
    for (; entry !== undefined && !(same && entry === last.history); entry = entry.parent) fresh.push(entry);
    const added = fresh.reverse().flatMap((each) => each.messages);
    const messages = same && entry !== undefined ? continueList(last.messages, last.messages.length, added) : [...system, ...added];
    last = { system: system[0], history, messages };
    return messages;
  };
}

function continued(parent: PromptHistory | undefined, { message }: PromptNode, analyser: TextAnalyser, convert: MessageConverter): PromptHistory {
  const { messages, mediaOmitted } = convert(message);
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
