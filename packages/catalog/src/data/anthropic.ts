import type { CatalogModelInput } from '../model-record.js';

export const anthropicModels: CatalogModelInput[] = [];
