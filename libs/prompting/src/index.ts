export { loadTemplate, type JinjaChatTemplate, type TemplateOptions } from './chat-template.js';
export { answerRender, answerTokens, type RenderAnswer, type RenderCase } from './conformance.js';
export { JsonNumber, parseJson, type JsonValue } from './json-value.js';
export { plugin, promptingContents } from './plugin.js';
export { createPromptEncoder, type PromptEncoderOptions } from './prompt-encoder.js';
export { qwen3Template, qwen3Tokenizer } from './qwen3.js';
export { type ArgumentsAs } from './template-request.js';
export { loadTokenizer, type LoadedTokenizer } from './tokenizer.js';
export { type TokenizerFiles } from './tokenizer-files.js';
