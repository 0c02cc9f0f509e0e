import { definePlugin } from '@turnwright/contracts';
import { codingAgent } from './coding-agent.js';
import { finalAnswer } from './final-answer.js';
import { langgraph } from './langgraph.js';

/** The built-in recipes. A new one is a file beside this one, its test, and a line here. */
export const recipesPlugin = definePlugin({ apiVersion: 1, name: 'turnwright recipes', recipes: [codingAgent, finalAnswer, langgraph] });
