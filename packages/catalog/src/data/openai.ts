import type { CatalogModelInput } from '../model-record.js';

export const openaiModels: CatalogModelInput[] = [];
