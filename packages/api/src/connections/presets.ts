/** Known vendors by the names of presets. Those of clouds and of servers that everyone runs need further settings. */
export const connectionPresets = [
  ...[
    'anthropic',
    'azure',
    'bedrock',
    'cerebras',
    'cohere',
    'deepseek',
    'fireworks',
    'gemini',
    'groq',
    'litellm',
    'llama.cpp',
  ],
  ...['lm-studio', 'minimax', 'mistral', 'moonshot', 'nebius', 'ollama', 'openai', 'openrouter', 'perplexity', 'qwen'],
  ...['sambanova', 'sglang', 'tgi', 'together', 'vertex-anthropic', 'vertex-gemini', 'vllm', 'xai', 'zai'],
] as const;
