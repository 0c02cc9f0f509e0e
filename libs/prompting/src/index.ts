export * from './tokenizer.js'; export * from './qwen3.js';
