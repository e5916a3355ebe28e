import type { CatalogModelInput } from '../model-record.js';

export const xaiModels: CatalogModelInput[] = [];
