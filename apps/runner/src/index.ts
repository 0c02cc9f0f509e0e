export { runPipeline, type PipelineChoices } from './recipes/session-pipeline.js';
export { rewardSource } from './recipes/reward-source.js';
export { codingAgent } from './recipes/coding-agent.js';
export { finalAnswer } from './recipes/final-answer.js';
