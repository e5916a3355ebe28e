import { expect, it } from '@jest/globals';
import type { Model } from '../../api/types.js';
import { findLosses, usualPrice } from './find-losses.js';

const MODEL = { modelId: 'm', isDefault: true, input: '', cached: '', output: '', image: '' };
const CATALOG = [
  { model_id: 'm', input_cost_per_million_cents: 100, output_cost_per_million_cents: 300 },
] as unknown as Model[];

it('adds the markup, rounded up', () => {
  expect([usualPrice(101, 10), usualPrice(100, 0)]).toEqual([112, 100]);
});

it('finds prices below their costs, and none in prices of the catalog', () => {
  expect(findLosses([MODEL], CATALOG, 0)).toEqual([]);
  expect(findLosses([{ ...MODEL, input: '1.00', output: '0.01' }], CATALOG, 0)).toEqual([
    { modelId: 'm', unit: 'output', price: 1, cost: 300 },
  ]);
});

it('ignores unknown models and prices that are not amounts', () => {
  expect(findLosses([{ ...MODEL, modelId: 'other', input: '0' }], CATALOG, 0)).toEqual([]);
  expect(findLosses([{ ...MODEL, input: 'x' }], CATALOG, 0)).toEqual([]);
});
