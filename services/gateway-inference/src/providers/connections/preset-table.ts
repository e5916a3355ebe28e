import type { Connection } from '@tollgate/catalog';

/** The members that a connection to a known server may leave out. A server that everyone runs at an address of their own has no base URL. */
export type Preset = Pick<Connection, 'wire'> & Partial<Pick<Connection, 'auth' | 'provider' | 'base_url' | 'quirks'>>;

const bearer = { type: 'bearer' } as const;
const google = { type: 'google', scope: 'https://www.googleapis.com/auth/cloud-platform' } as const;

/**
 * Known servers by the name that connections use. Absent quirks mean OpenAI's form.
 *
 * Sources, read 2026-11-30: where an entry names none, addresses and parameters are those in `litellm/llms/<name>` of BerriAI/litellm.
 * No entry has been compared with the vendor's server; check one against its documentation before you rely on a quirk.
 */
export const presets: Readonly<Record<string, Preset>> = {
  openai: { provider: 'openai', wire: 'openai-chat', auth: bearer, base_url: 'https://api.openai.com/v1' },
  anthropic: {
    provider: 'anthropic',
    wire: 'anthropic',
    auth: { type: 'header', name: 'x-api-key', prefix: '' },
    base_url: 'https://api.anthropic.com',
  },
  gemini: {
    provider: 'google-ai-studio',
    wire: 'gemini',
    auth: { type: 'header', name: 'x-goog-api-key', prefix: '' },
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
  },
  xai: {
    provider: 'xai',
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.x.ai/v1',
    quirks: { responses: false, top_k: false },
  },

  // Clouds. Their addresses follow from `auth`, except for the resource of Azure: `https://<resource>.openai.azure.com/openai/v1`, and
  // without `/v1` for dated versions.
  azure: {
    provider: 'openai',
    wire: 'openai-chat',
    auth: { type: 'azure' },
    quirks: { responses: true, top_k: false },
  },
  bedrock: { wire: 'bedrock' },
  'vertex-gemini': { wire: 'gemini', auth: google },
  'vertex-anthropic': { wire: 'anthropic', auth: google },

  // docs.mistral.ai/api (ChatCompletionRequest); `MistralConfig` of litellm. Its streams report usage without being asked.
  mistral: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.mistral.ai/v1',
    quirks: {
      top_k: false,
      token_bound: 'max_tokens',
      seed: 'random_seed',
      stream_usage: 'always',
      tool_id_chars: 9,
      lacks: ['logit_bias', 'logprobs', 'top_logprobs'],
    },
  },
  // api-docs.deepseek.com/api/create-chat-completion: JSON without a schema only.
  deepseek: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.deepseek.com/v1',
    quirks: { top_k: false, token_bound: 'max_tokens', json: 'object', lacks: ['logit_bias', 'n', 'seed'] },
  },
  // console.groq.com/docs/openai (currently unsupported features).
  groq: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.groq.com/openai/v1',
    quirks: {
      top_k: false,
      responses: true,
      token_bound: 'max_completion_tokens',
      lacks: ['logit_bias', 'logprobs', 'n', 'top_logprobs'],
    },
  },
  // inference-docs.cerebras.ai/resources/openai (fields that result in a 400).
  cerebras: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.cerebras.ai/v1',
    quirks: {
      top_k: false,
      token_bound: 'max_completion_tokens',
      lacks: ['frequency_penalty', 'logit_bias', 'n', 'presence_penalty'],
    },
  },
  together: { wire: 'openai-chat', auth: bearer, base_url: 'https://api.together.xyz/v1', quirks: { top_k: true } },
  fireworks: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.fireworks.ai/inference/v1',
    quirks: { top_k: true, token_bound: 'max_tokens' },
  },
  openrouter: { wire: 'openai-chat', auth: bearer, base_url: 'https://openrouter.ai/api/v1', quirks: { top_k: true } },
  // docs.perplexity.ai/docs/agent-api/openai-compatibility: the Responses API only, since chat completions ended on 2026-09-27.
  perplexity: { wire: 'openai-responses', auth: bearer, base_url: 'https://api.perplexity.ai/v1' },
  // docs.cohere.com/docs/compatibility-api (unsupported parameters).
  cohere: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.cohere.ai/compatibility/v1',
    quirks: { top_k: false, token_bound: 'max_tokens', lacks: ['logit_bias', 'n', 'top_logprobs'] },
  },
  // platform.moonshot.ai/docs/guide/migrating-from-openai-to-kimi: no `required`, temperatures to 1.
  moonshot: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.moonshot.ai/v1',
    quirks: {
      top_k: false,
      token_bound: 'max_tokens',
      tool_choice: ['auto', 'named', 'none'],
      temperature_max: 1,
      lacks: ['logit_bias', 'logprobs', 'seed', 'top_logprobs'],
    },
  },
  // alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope: `auto`, `none` or a function.
  qwen: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    quirks: { top_k: true, token_bound: 'max_tokens', tool_choice: ['auto', 'named', 'none'], lacks: ['logit_bias'] },
  },
  // docs.z.ai/api-reference/llm/chat-completion: `auto` only, JSON without a schema only.
  zai: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.z.ai/api/paas/v4',
    quirks: {
      top_k: false,
      token_bound: 'max_tokens',
      json: 'object',
      tool_choice: ['auto'],
      temperature_max: 1,
      lacks: ['frequency_penalty', 'logit_bias', 'logprobs', 'n', 'presence_penalty', 'seed', 'top_logprobs'],
    },
  },
  // platform.minimax.io/docs/api-reference/text-openai-api: ignored parameters, temperatures above 0 to 1.
  minimax: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.minimax.io/v1',
    quirks: {
      top_k: false,
      token_bound: 'max_completion_tokens',
      temperature_min: 0.01,
      temperature_max: 1,
      lacks: ['frequency_penalty', 'logit_bias', 'n', 'presence_penalty'],
    },
  },
  // docs.tokenfactory.nebius.com/api-reference/introduction.
  nebius: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.tokenfactory.nebius.com/v1',
    quirks: { top_k: true, token_bound: 'max_tokens' },
  },
  // docs.sambanova.ai (chat completions); `SambanovaConfig` of litellm.
  sambanova: {
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.sambanova.ai/v1',
    quirks: {
      top_k: true,
      token_bound: 'max_tokens',
      lacks: ['frequency_penalty', 'logit_bias', 'logprobs', 'n', 'presence_penalty', 'seed', 'top_logprobs'],
    },
  },

  // Servers that are run at an own address: without keys, requests have no credential.
  vllm: { wire: 'openai-chat', auth: bearer, quirks: { top_k: true, tokenize: 'vllm' } },
  sglang: { wire: 'openai-chat', auth: bearer, quirks: { top_k: true } },
  'llama.cpp': { wire: 'openai-chat', auth: bearer, quirks: { top_k: true, tokenize: 'llama.cpp' } },
  // docs.ollama.com/api/openai-compatibility (supported request fields); ChatCompletionRequest in `openai/openai.go` has no `tool_choice`.
  ollama: {
    wire: 'openai-chat',
    auth: bearer,
    quirks: { top_k: false, token_bound: 'max_tokens', tool_choice: ['auto'], lacks: ['logit_bias', 'n'] },
  },
  'lm-studio': { wire: 'openai-chat', auth: bearer, quirks: { top_k: true, token_bound: 'max_tokens' } },
  tgi: { wire: 'openai-chat', auth: bearer, quirks: { top_k: false, token_bound: 'max_tokens' } },
  litellm: { wire: 'openai-chat', auth: bearer, quirks: { top_k: true, responses: true } },
};
