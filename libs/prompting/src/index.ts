export * from './chat-template.js';
export * from './qwen3.js';
export * from './tokenizer.js';
export * from './json-value.js';
