import type { CatalogModelInput } from '../model-record.js';
import { anthropicModels } from './anthropic.js';
import { googleModels } from './google.js';
import { openaiModels } from './openai.js';
import { sandboxModels } from './sandbox.js';
import { xaiModels } from './xai.js';

/** The models that every catalog has, in its order. */
export const builtInModels: readonly CatalogModelInput[] = [
  ...openaiModels,
  ...anthropicModels,
  ...googleModels,
  ...xaiModels,
  ...sandboxModels,
];
