import type { CatalogModelInput } from '../model-record.js';

/** One model of a vendor's price list: the fields of a catalog entry that do not depend on who serves it. `model_id` is the vendor's name. */
export type ListedModel = Omit<CatalogModelInput, 'provider' | 'routes' | 'display_name'> & { display_name?: string };

/** A vendor's prices, from a file of `lists/` or read from a downloaded price list. */
export interface PriceList {
  /** Such as `mistral`; presets of connections have the same names. */
  list: string;
  /** Where the facts are from. */
  source: string;
  /** `YYYY-MM-DD` */
  reviewed: string;
  models: ListedModel[];
}

/** A model of a downloaded price list that cannot be taken over, and why. */
export interface SkippedModel {
  model_id: string;
  reason: string;
}

/** The models of one vendor in a downloaded price list. */
export interface ReadList {
  models: ListedModel[];
  skipped: SkippedModel[];
  /** Models that the vendor no longer serves. */
  retired: { model_id: string; use?: string }[];
}

/** A vendor's name in the price lists that can be downloaded. */
interface VendorNames {
  litellm: readonly string[];
  modelsDev: readonly string[];
  /** Leaves out ids of LiteLLM's list that are no model of the vendor. */
  leavesOut?: RegExp;
}

/** Vendors by the name of their list. */
export const vendors: Readonly<Record<string, VendorNames>> = {
  openai: { litellm: ['openai'], modelsDev: ['openai'], leavesOut: /\/|^ft:/ },
  anthropic: { litellm: ['anthropic'], modelsDev: ['anthropic'] },
  'google-ai-studio': { litellm: ['gemini'], modelsDev: ['google'] },
  xai: { litellm: ['xai'], modelsDev: ['xai'], leavesOut: /beta|experimental|-gv2$/ },
  mistral: { litellm: ['mistral'], modelsDev: ['mistral'] },
  deepseek: { litellm: ['deepseek'], modelsDev: ['deepseek'] },
  groq: { litellm: ['groq'], modelsDev: ['groq'] },
  cerebras: { litellm: ['cerebras'], modelsDev: ['cerebras'] },
  together: { litellm: ['together_ai'], modelsDev: ['togetherai'] },
  fireworks: { litellm: ['fireworks_ai', 'fireworks_ai-embedding-models'], modelsDev: ['fireworks-ai'] },
  openrouter: { litellm: ['openrouter'], modelsDev: ['openrouter'] },
  perplexity: { litellm: ['perplexity'], modelsDev: ['perplexity'] },
  cohere: { litellm: ['cohere', 'cohere_chat'], modelsDev: ['cohere'] },
  moonshot: { litellm: ['moonshot'], modelsDev: ['moonshotai'] },
  qwen: { litellm: ['dashscope'], modelsDev: ['alibaba'] },
  zai: { litellm: ['zai'], modelsDev: ['zai'] },
  minimax: { litellm: ['minimax'], modelsDev: ['minimax'] },
  nebius: { litellm: ['nebius'], modelsDev: ['nebius'] },
  sambanova: { litellm: ['sambanova'], modelsDev: [] },
  bedrock: {
    litellm: ['bedrock', 'bedrock_converse'],
    modelsDev: ['amazon-bedrock'],
    leavesOut: /\/.*\/|commitment|^\w+-\w+-\d\//,
  },
  azure: { litellm: ['azure'], modelsDev: ['azure'], leavesOut: /^azure\/.*\/|\// },
  vertex: {
    litellm: ['vertex_ai-language-models', 'vertex_ai-anthropic_models', 'vertex_ai-embedding-models'],
    modelsDev: ['google-vertex', 'google-vertex-anthropic'],
  },
};
