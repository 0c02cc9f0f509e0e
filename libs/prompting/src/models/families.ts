import type { ModelFamily } from './model-family.js';

const family = (name: string, description: string, ...repositories: readonly string[]): ModelFamily => ({ name, description, repositories });

/**
 * Models by the names that people call them, a line for those that share one chat template.
 *
 * Their data are not shipped: a family is found in the user's folders or in Hugging Face's cache. Where two sizes of a family came with
 * different templates, the user is asked which.
 */
export const modelFamilies: readonly ModelFamily[] = [
  family('qwen2.5', 'Qwen2.5 Instruct and Qwen2.5 Coder Instruct', 'Qwen/Qwen2.5-*Instruct'),
  family('qwen3_instruct_2507', 'Qwen3 Instruct of July 2025, without thinking', 'Qwen/Qwen3-*-Instruct-2507'),
  family('qwen3_thinking_2507', 'Qwen3 Thinking of July 2025', 'Qwen/Qwen3-*-Thinking-2507'),
  family('qwen3_coder', 'Qwen3 Coder, all sizes', 'Qwen/Qwen3-Coder-*'),
  family('qwen3_next', 'Qwen3 Next', 'Qwen/Qwen3-Next-*-Instruct'),
  family('qwen3.5', 'Qwen3.5, all sizes', 'Qwen/Qwen3.5-*'),
  family('qwen3.6', 'Qwen3.6, all sizes', 'Qwen/Qwen3.6-*'),
  family('qwq', 'QwQ 32B', 'Qwen/QwQ-32B'),
  family('glm_4.5', 'GLM-4.5 and GLM-4.5 Air', 'zai-org/GLM-4.5', 'zai-org/GLM-4.5-Air'),
  family('glm_4.6', 'GLM-4.6', 'zai-org/GLM-4.6'),
  family('glm_4.7', 'GLM-4.7 and GLM-4.7 Flash', 'zai-org/GLM-4.7', 'zai-org/GLM-4.7-Flash'),
  family('kimi_k2', 'Kimi K2 Instruct', 'moonshotai/Kimi-K2-Instruct*'),
  family('kimi_k2_thinking', 'Kimi K2 Thinking', 'moonshotai/Kimi-K2-Thinking'),
  family('kimi_k2.5', 'Kimi K2.5', 'moonshotai/Kimi-K2.5'),
  family('deepseek_v3', 'DeepSeek V3', 'deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-V3-0324'),
  family('deepseek_r1', 'DeepSeek R1', 'deepseek-ai/DeepSeek-R1', 'deepseek-ai/DeepSeek-R1-0528'),
  family('deepseek_v3.1', 'DeepSeek V3.1', 'deepseek-ai/DeepSeek-V3.1*'),
  family('deepseek_v3.2', 'DeepSeek V3.2', 'deepseek-ai/DeepSeek-V3.2*'),
  family('deepseek_r1_distill', 'DeepSeek R1 distilled into Qwen and Llama', 'deepseek-ai/DeepSeek-R1-Distill-*'),
  family('minimax_m2', 'MiniMax M2 and M2.x', 'MiniMaxAI/MiniMax-M2*'),
  family('minimax_m3', 'MiniMax M3', 'MiniMaxAI/MiniMax-M3*'),
  family('gpt_oss', 'gpt-oss, both sizes', 'openai/gpt-oss-*'),
  family('llama3', 'Llama 3 Instruct', 'meta-llama/Meta-Llama-3-*-Instruct'),
  family('llama3.1', 'Llama 3.1 Instruct', 'meta-llama/Llama-3.1-*-Instruct', 'meta-llama/Meta-Llama-3.1-*-Instruct'),
  family('llama3.2', 'Llama 3.2 Instruct', 'meta-llama/Llama-3.2-*-Instruct'),
  family('llama3.3', 'Llama 3.3 Instruct', 'meta-llama/Llama-3.3-*-Instruct'),
  family('llama4', 'Llama 4 Instruct', 'meta-llama/Llama-4-*-Instruct'),
  family('mistral_nemo', 'Mistral Nemo Instruct', 'mistralai/Mistral-Nemo-Instruct-2407'),
  family('mistral_small_3.2', 'Mistral Small 3.2', 'mistralai/Mistral-Small-3.2-*'),
  family('devstral_small', 'Devstral Small', 'mistralai/Devstral-Small-*'),
  family('ministral_3', 'Ministral 3 Instruct', 'mistralai/Ministral-3-*-Instruct-*'),
  family('ministral_3_reasoning', 'Ministral 3 Reasoning', 'mistralai/Ministral-3-*-Reasoning-*'),
  family('hermes_3', 'Hermes 3', 'NousResearch/Hermes-3-*'),
  family('granite_3.3', 'Granite 3.3 Instruct', 'ibm-granite/granite-3.3-*-instruct'),
  family('granite_4.0', 'Granite 4.0', 'ibm-granite/granite-4.0-*'),
  family('phi_4_mini', 'Phi-4 mini Instruct', 'microsoft/Phi-4-mini-instruct'),
  family('gemma3', 'Gemma 3, instruction-tuned', 'google/gemma-3-*-it'),
  family('gemma4', 'Gemma 4, instruction-tuned', 'google/gemma-4-*-it'),
  family('nemotron_nano_v2', 'Nemotron Nano v2', 'nvidia/NVIDIA-Nemotron-Nano-*-v2'),
  family('nemotron_3_nano', 'Nemotron 3 Nano', 'nvidia/NVIDIA-Nemotron-3-Nano-*'),
  family('seed_oss', 'Seed-OSS Instruct', 'ByteDance-Seed/Seed-OSS-36B-Instruct'),
  family('lfm2', 'LFM2', 'LiquidAI/LFM2-*'),
  family('lfm2.5', 'LFM2.5', 'LiquidAI/LFM2.5-*'),
  family('smollm3', 'SmolLM3', 'HuggingFaceTB/SmolLM3-3B'),
  family('step_3.5_flash', 'Step 3.5 Flash', 'stepfun-ai/Step-3.5-Flash'),
  family('apertus', 'Apertus Instruct', 'swiss-ai/Apertus-*-Instruct-2509'),
  family('hy3', 'Tencent Hy3', 'tencent/Hy3*'),
  family('command_r7b', 'Command R7B', 'CohereForAI/c4ai-command-r7b-12-2024', 'CohereLabs/c4ai-command-r7b-12-2024'),
];
