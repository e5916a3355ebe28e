/** Known vendors by the names of presets. A test compares them with the source of gateway-inference. */
export const PRESETS: readonly string[] = [
  ...['anthropic', 'azure', 'bedrock', 'cerebras', 'cohere', 'deepseek', 'fireworks', 'gemini', 'groq', 'litellm'],
  ...['llama.cpp', 'lm-studio', 'minimax', 'mistral', 'moonshot', 'nebius', 'ollama', 'openai', 'openrouter'],
  ...['perplexity', 'qwen', 'sambanova', 'sglang', 'tgi', 'together', 'vertex-anthropic', 'vertex-gemini', 'vllm'],
  ...['xai', 'zai'],
];
