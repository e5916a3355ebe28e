import { expect, it } from '@jest/globals';
import { choosePlanItem, type KnownPlan } from './plan-item.js';

const item = (id: string, priceId: string, createdMs = 0) => ({ id, priceId, createdMs });
const TIERS = [
  { id: 'pro', priceId: 'p_pro' },
  { id: 'twin', priceId: 'p_pro' },
  { id: 'max', priceId: 'p_max' },
];
const PRO: KnownPlan = { tierId: 'pro', itemId: 'i1', priceId: 'p_pro' };
const UNKNOWN = { tierId: 'pro', itemId: null, priceId: null };

it.each<[string, ReturnType<typeof item>[], string | undefined, KnownPlan | undefined, string]>([
  ['the only item', [item('i1', 'p_pro')], 'pro', undefined, 'i1 pro'],
  [
    'the item with a tier’s price behind another item',
    [item('i2', 'addon', 9), item('i1', 'p_pro')],
    'pro',
    PRO,
    'i1 pro',
  ],
  ['the plan that moved to another price', [item('i2', 'addon', 9), item('i1', 'p_max')], 'pro', PRO, 'i1 max'],
  ['the plan that moved to a new item', [item('i2', 'addon'), item('i3', 'p_max', 9)], 'pro', PRO, 'i3 max'],
  ['the tier that the metadata names of two with one price', [item('i1', 'p_pro')], 'twin', PRO, 'i1 twin'],
  ['the known tier of two with one price', [item('i1', 'p_pro')], undefined, { ...PRO, tierId: 'twin' }, 'i1 twin'],
  [
    'the known item at a price that its tier no longer has',
    [item('i2', 'addon'), item('i1', 'old', 5)],
    'pro',
    { ...PRO, priceId: 'old' },
    'i1 pro',
  ],
  [
    'the known item although another has a tier’s price',
    [item('i2', 'p_max'), item('i1', 'old')],
    'pro',
    { ...PRO, priceId: 'old' },
    'i1 pro',
  ],
  [
    'the known tier after the plan moved to a price of no tier',
    [item('i1', 'own')],
    'pro',
    { ...PRO, tierId: 'max' },
    'i1 max',
  ],
  [
    'the known tier although another tier has the old price now',
    [item('i1', 'p_pro')],
    'max',
    { tierId: 'max', itemId: 'i1', priceId: 'p_pro' },
    'i1 max',
  ],
  ['the oldest item if no price is known', [item('i2', 'addon', 9), item('i1', 'old', 5)], 'pro', UNKNOWN, 'i1 pro'],
  [
    'the named tier of two items with tiers’ prices',
    [item('i2', 'p_max'), item('i1', 'p_pro')],
    'pro',
    UNKNOWN,
    'i1 pro',
  ],
])('finds %s', (_, items, namedTierId, known, expected) => {
  const plan = choosePlanItem(items, TIERS, { namedTierId, known });
  expect(`${plan?.item.id} ${plan?.tierId}`).toBe(expected);
});

it('finds no plan without items, and no tier without a name', () => {
  const nothing = { namedTierId: undefined, known: undefined };
  expect(choosePlanItem([], TIERS, nothing)).toBeUndefined();
  expect(choosePlanItem([item('i1', 'own')], TIERS, nothing)).toMatchObject({ tierId: undefined });
});
