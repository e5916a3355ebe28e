import type { ListedModel, PriceList } from './listed-model.js';

interface ListModule {
  source: string;
  reviewed: string;
  /** One model a line, as JSON: parsed only where the list is used. */
  models: string;
}

const files: Readonly<Record<string, () => Promise<ListModule>>> = {
  openai: () => import('../lists/openai.js'),
  anthropic: () => import('../lists/anthropic.js'),
  'google-ai-studio': () => import('../lists/google-ai-studio.js'),
  xai: () => import('../lists/xai.js'),
  mistral: () => import('../lists/mistral.js'),
  deepseek: () => import('../lists/deepseek.js'),
  groq: () => import('../lists/groq.js'),
  cerebras: () => import('../lists/cerebras.js'),
  together: () => import('../lists/together.js'),
  fireworks: () => import('../lists/fireworks.js'),
  perplexity: () => import('../lists/perplexity.js'),
  cohere: () => import('../lists/cohere.js'),
  moonshot: () => import('../lists/moonshot.js'),
  qwen: () => import('../lists/qwen.js'),
  zai: () => import('../lists/zai.js'),
  minimax: () => import('../lists/minimax.js'),
  nebius: () => import('../lists/nebius.js'),
  sambanova: () => import('../lists/sambanova.js'),
  bedrock: () => import('../lists/clouds/bedrock.js'),
  azure: () => import('../lists/clouds/azure.js'),
  vertex: () => import('../lists/clouds/vertex.js'),
};

/** Names of the price lists that this package has. */
export const priceListNames: readonly string[] = Object.keys(files);

/** Returns a price list of this package; undefined for a name that it does not have. */
export async function loadPriceList(list: string): Promise<PriceList | undefined> {
  if (!Object.hasOwn(files, list)) return undefined;
  const { source, reviewed, models } = await files[list]!();
  const lines = models.trim().split('\n');
  return { list, source, reviewed, models: lines.map((line) => JSON.parse(line) as ListedModel) };
}
