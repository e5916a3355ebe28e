import { describe, expect, it } from '@jest/globals';
import type { Tier } from '../../api/types.js';
import { newTier, rename, type TierDraft, toDraft, toTierBody, toTierUpdate } from './tier-draft.js';

const model = { modelId: 'a/b', isDefault: true, input: '1.50', cached: '', output: '', image: '' };
const draft = (changes: Partial<TierDraft>): TierDraft => ({ ...newTier(), code: 'pro', name: 'Pro', ...changes });

describe('toTierBody', () => {
  it('sends cents, and only the prices that are set', () => {
    expect(toTierBody(draft({ spendLimit: '20', price: '9.99', models: [model] }))).toEqual({
      tier_code: 'pro',
      display_name: 'Pro',
      billing_mode: 'subscription',
      spend_limit_cents: 2_000,
      overage_enabled: false,
      price_amount_cents: 999,
      price_currency: 'usd',
      price_interval: 'month',
      billing_provider: 'stripe',
      is_default: false,
      visibility: 'portal',
      models: [{ model_id: 'a/b', is_default: true, input_price_per_million_cents: 150 }],
    });
  });

  it('sends neither limit nor price for a wallet', () => {
    const body = toTierBody(draft({ mode: 'paygo', price: '9.99' }));
    expect(body).toEqual({
      tier_code: 'pro',
      display_name: 'Pro',
      billing_mode: 'paygo',
      visibility: 'portal',
      is_default: false,
      models: [],
    });
  });

  it('sends the price of Stripe that bills the tier', () => {
    const body = toTierBody(draft({ price: '9.99', priceRef: 'price_1' }));
    expect(body).toMatchObject({ billing_provider: 'stripe', billing_price_ref: 'price_1' });
  });
});

describe('the processor’s price of a tier', () => {
  const stored = (values: object) =>
    ({ ...toTierBody(draft({ price: '9.99' })), models: [], features: [], ...values }) as unknown as Tier;

  it('leaves out a price that Tollgate has made', () => {
    const edited = toDraft(stored({ billing_price_ref: 'price_made', price_sync: 'ready' }));
    expect(edited).toMatchObject({ isCharged: true, priceRef: '' });
    expect(toTierBody(edited)).not.toHaveProperty('billing_price_ref');
  });

  it('removes it when the owner empties the field', () => {
    const edited = toDraft(stored({ billing_price_ref: 'price_1' }));
    expect(edited.priceRef).toBe('price_1');
    expect(toTierUpdate({ ...edited, priceRef: '' })).toMatchObject({ billing_price_ref: null });
  });

  it('leaves it out for a tier that the owner bills elsewhere', () => {
    const body = toTierBody(draft({ price: '9.99', priceRef: 'price_1', isCharged: false }));
    expect(body).toMatchObject({ billing_provider: 'external' });
    expect(body).not.toHaveProperty('billing_price_ref');
  });
});

describe('how customers see a tier', () => {
  it('sends what is set and removes the rest in an update', () => {
    const offer = {
      visibility: 'link',
      sortOrder: '-2',
      features: ' 1,000 requests \n\nSupport',
      group: 'pro',
    } as const;
    expect(toTierBody(draft({ price: '9.99', ...offer, allowsPromotionCodes: true }))).toMatchObject({
      visibility: 'link',
      sort_order: -2,
      features: ['1,000 requests', 'Support'],
      group: 'pro',
      allow_promotion_codes: true,
    });
    const removed = { sort_order: 0, features: [], group: null, allow_promotion_codes: false };
    expect(toTierUpdate(draft({}))).toMatchObject(removed);
    expect(toTierBody(draft({}))).toMatchObject({ visibility: 'private' });
    expect(toTierBody(draft({ price: '9.99' }))).toMatchObject({ visibility: 'portal' });
  });

  it('keeps an edited tier as it is', () => {
    const stored = {
      visibility: 'private',
      sort_order: 3,
      features: ['a', 'b'],
      group: 'pro',
      allow_promotion_codes: false,
    };
    const edited = toDraft({ ...toTierBody(draft({})), ...stored, models: [] } as unknown as Tier);
    expect(toTierUpdate(edited)).toMatchObject(stored);
  });
});

describe('the price of cached input', () => {
  it('sends it where it is set, 0 included, and keeps it in an edit', () => {
    const models = [
      { ...model, cached: '0.15' },
      { ...model, modelId: 'free', cached: '0' },
    ];
    const body = toTierBody(draft({ models }));
    expect(body.models).toMatchObject([
      { model_id: 'a/b', input_price_per_million_cents: 150, cached_input_price_per_million_cents: 15 },
      { model_id: 'free', cached_input_price_per_million_cents: 0 },
    ]);
    const edited = toDraft({ ...body, features: [] } as unknown as Tier);
    expect(toTierBody(edited).models).toEqual(body.models);
  });
});

describe('toTierUpdate', () => {
  it('removes what the draft leaves empty', () => {
    const body = toTierUpdate(draft({ spendLimit: '' }));
    expect(body).toMatchObject({ spend_limit_cents: null, price_amount_cents: null, rate_limit_per_minute: null });
    expect(body).not.toHaveProperty('tier_code');
  });

  it('keeps the currency of a tier and its decimals', () => {
    const yen = { ...toTierBody(draft({ price: '9.99' })), price_amount_cents: 2_000, price_currency: 'jpy' };
    const edited = toDraft({ ...yen, models: [], features: [] } as unknown as Tier);
    expect(edited).toMatchObject({ price: '2000', currency: 'jpy' });
    expect(toTierBody(edited)).toMatchObject({ price_amount_cents: 2_000, price_currency: 'jpy' });
  });
});

it('derives the code of a new tier from its name, until another code is typed', () => {
  expect(rename(newTier(), '2 Teams, yearly')).toEqual({ name: '2 Teams, yearly', code: 'teams-yearly' });
  expect(rename(draft({ name: 'Team', code: 'team' }), 'Teams')).toEqual({ name: 'Teams', code: 'teams' });
  expect(rename(draft({ name: 'Team', code: 'mine' }), 'Teams')).toEqual({ name: 'Teams', code: 'mine' });
});
