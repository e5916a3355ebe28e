// Tiers, wallets and usage over HTTP: SPEC "Tiers", "Balance", "Usage", and the owner's reports of DECISIONS 3.
import { describe, expect, it } from '@jest/globals';
import { type Json, responsesBody, tierBody, uniqueCode } from '@tollgate/testkit';
import { asCustomer, expectRefused, NOBODY, newCustomer, newTier } from '../system/customers.js';
import { must, SANDBOX_MODEL, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);

describe('a wallet', () => {
  it('shows the wallet and its history to the owner and the customer alike', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 5_000_000n });
    const { usage } = must(await customer.api.post('/responses', responsesBody()), 200);
    const cost = usage.input_tokens * 100 + usage.output_tokens * 300;
    const balance = must(await customer.api.get('/customers/me/balance'), 200);
    expect(balance).toEqual({
      customer_id: customer.id,
      billing_profile_id: customer.id,
      balance_microcents: 5_000_000 - cost,
      granted_microcents: 0,
      reserved_microcents: 0,
      currency: 'usd',
    });
    expect(must(await project.api.get(`/customers/${customer.id}/balance`), 200)).toEqual(balance);
    const history = must(await customer.api.get('/customers/me/balance/history'), 200);
    expect(history.entries).toMatchObject([
      {
        direction: 'debit',
        amount_microcents: cost,
        reason: 'API usage',
        balance_after_microcents: 5_000_000 - cost,
        model_id: SANDBOX_MODEL,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        request_id: expect.any(String),
      },
      { direction: 'credit', amount_microcents: 5_000_000, reason: 'top-up', balance_after_microcents: 5_000_000 },
    ]);
    const page = must(await project.api.get(`/customers/${customer.id}/balance/history?limit=1&offset=1`), 200);
    expect(page).toEqual({ entries: history.entries.slice(1) });
    expectRefused(await customer.api.get('/customers/me/balance/history?limit=201'), 400);
  });

  it('returns 400 to owner and customer when the tier has no wallet', async () => {
    const customer = await project.customerOn('free');
    expectRefused(await customer.api.get('/customers/me/balance'), 400, 'INVALID_INPUT');
    expectRefused(await project.api.get(`/customers/${customer.id}/balance`), 400, 'INVALID_INPUT');
    expectRefused(await project.api.get(`/customers/${customer.id}/balance/history`), 400, 'INVALID_INPUT');
    expectRefused(await project.api.get(`/customers/${NOBODY}/balance`), 404, 'NOT_FOUND');
  });
});

describe('tiers', () => {
  it('creates tiers with prices of the owner or the catalog, reads, changes and deletes them', async () => {
    const mine = await system.project();
    const path = `/projects/${mine.id}/tiers`;
    const models = [
      { model_id: SANDBOX_MODEL, is_default: true, input_price_per_million_cents: 7 },
      { model_id: UPSTREAM_MODEL },
    ];
    const tier = await newTier(mine, tierBody({ models, spend_limit_cents: null }));
    expect(tier).toMatchObject({
      billing_mode: 'subscription',
      spend_limit_cents: null,
      overage_enabled: false,
      is_default: false,
      models: [
        {
          model_id: SANDBOX_MODEL,
          is_default: true,
          input_price_per_million_cents: 7,
          output_price_per_million_cents: 300,
        },
        { model_id: UPSTREAM_MODEL, input_price_per_million_cents: 150, output_price_per_million_cents: 450 },
      ],
    });
    for (const api of [mine.publishable, mine.api]) {
      expect(must(await api.get('/tiers'), 200)).toEqual({ tiers: [tier] });
      expect(must(await api.get(`/tiers/${tier.id}`), 200)).toEqual({ tier });
    }
    expect(must(await mine.owner.get(path), 200)).toEqual({ tiers: [tier] });
    const change = { spend_limit_cents: 0, promo_credits_cents: 5 };
    const changed = must(await mine.owner.put(`${path}/${tier.id}`, change), 200).tier;
    expect(changed).toEqual({ ...tier, ...change, updated_at: expect.any(String) });
    const cleared = must(await mine.owner.put(`${path}/${tier.id}`, { promo_credits_cents: null }), 200).tier;
    expect(cleared).not.toHaveProperty('promo_credits_cents');
    must(await mine.owner.delete(`${path}/${tier.id}`), 204);
    expectRefused(await mine.api.get(`/tiers/${tier.id}`), 404, 'NOT_FOUND');
  });

  it.each<[string, Record<string, unknown>]>([
    ['a malformed code', { tier_code: 'Pro!' }],
    ['no name', { display_name: undefined }],
    ['no models', { models: [] }],
    ['an unknown model', { models: [{ model_id: 'no/such-model' }] }],
    [
      'two default models',
      {
        models: [
          { model_id: SANDBOX_MODEL, is_default: true },
          { model_id: UPSTREAM_MODEL, is_default: true },
        ],
      },
    ],
    ['a price reference without a price', { billing_price_ref: 'price_1' }],
    ['PAYGO with a limit', { billing_mode: 'paygo', spend_limit_cents: 1 }],
    ['a negative limit', { spend_limit_cents: -1 }],
    ['a fraction of a cent', { spend_limit_cents: 1.5 }],
    ['a limit that is not an exact number of microcents in JSON', { spend_limit_cents: 9_007_199_255 }],
  ])('returns 400 for tiers with %s', async (_, overrides) => {
    expectRefused(
      await project.owner.post(`/projects/${project.id}/tiers`, tierBody(overrides)),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('returns 400 for a malformed id, 404 for an unknown one, 409 for a duplicate, used or default tier', async () => {
    const path = `/projects/${project.id}/tiers`;
    expectRefused(await project.api.get('/tiers/pro'), 400, 'INVALID_INPUT');
    expectRefused(await project.api.get(`/tiers/${NOBODY}`), 404, 'NOT_FOUND');
    const code = uniqueCode('tier');
    const tier = await newTier(project, tierBody({ tier_code: code, is_default: true }));
    expectRefused(await project.owner.post(path, tierBody({ tier_code: code })), 409, 'CONFLICT');
    expectRefused(await project.owner.delete(`${path}/${tier.id}`), 409, 'CONFLICT');
    const next = await newTier(project, tierBody({ is_default: true }));
    expect(must(await project.api.get(`/tiers/${tier.id}`), 200).tier.is_default).toBe(false);
    await asCustomer(system, project, (await newCustomer(project)).id, code);
    expectRefused(await project.owner.delete(`${path}/${tier.id}`), 409, 'CONFLICT');
    expectRefused(await project.owner.put(`${path}/${next.id}`, { is_default: false }), 409, 'CONFLICT');
  });
});

describe('usage', () => {
  it('reports usage under the highest possible limit', async () => {
    const customer = await project.customerOn('free', { spendLimitCents: 9_000_000_000 });
    must(await customer.api.post('/responses', responsesBody()), 200);
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.spend_remaining_microcents).toBe(9_000_000_000_000_000 - usage.total_cost_microcents);
  });

  it('reports the window by day and in percent of the limit, with equal figures for customer and dashboard', async () => {
    const models = [
      {
        model_id: SANDBOX_MODEL,
        is_default: true,
        input_price_per_million_cents: 1_000,
        output_price_per_million_cents: 0,
      },
    ];
    const customer = await project.customerOn('free', { spendLimitCents: 1, tier: { models } });
    const read = async () => must(await customer.api.get('/customers/me/usage'), 200).usage;
    const { subscription } = must(await customer.api.get('/customers/me/subscription'), 200);
    const none = await read();
    expect(none).toEqual({
      window_start: subscription.current_period_start.slice(0, 10),
      window_end: subscription.current_period_end.slice(0, 10),
      requests: 0,
      tokens: 0,
      total_cost_microcents: 0,
      spend_limit_cents: 1,
      spend_remaining_microcents: 1_000_000,
      percentage_used: 0,
      low: false,
      overage_enabled: false,
      daily: [],
    });
    const ask = async (bytes: number) =>
      must(await customer.api.post('/responses', responsesBody('x'.repeat(bytes), { max_output_tokens: 1 })), 200)
        .usage;
    const first = await ask(2_000);
    const cost = first.input_tokens * 1_000;
    expect(await read()).toMatchObject({
      requests: 1,
      tokens: first.total_tokens,
      total_cost_microcents: cost,
      spend_remaining_microcents: 1_000_000 - cost,
      percentage_used: cost / 10_000,
      low: false,
      daily: [{ date: expect.any(String), requests: 1, tokens: first.total_tokens, cost_microcents: cost }],
    });
    await ask(1_400);
    const after = await read();
    expect(after).toMatchObject({ requests: 2, low: true });
    const path = `/projects/${project.id}/customers/${customer.id}`;
    expect(must(await project.owner.get(`${path}/usage`), 200)).toEqual({ usage: after });
    expect(must(await project.owner.get(path), 200).customer.id).toBe(customer.id);
    expectRefused(await project.owner.get(`/projects/${project.id}/customers/${NOBODY}/usage`), 404, 'NOT_FOUND');
  });

  it("groups the account's usage by day, model, customer and key, in pages, within a range of days", async () => {
    const mine = await system.project();
    const customer = await mine.customerOn('free');
    must(await customer.api.post('/responses', responsesBody()), 200);
    must(await mine.api.post('/responses', responsesBody()), 200);
    must(await mine.api.post('/responses', responsesBody('hello', { model: UPSTREAM_MODEL })), 200);
    const usageBy = async (query: string) => must(await mine.owner.get(`/account/usage?${query}`), 200);
    const groups = async (by: string) => {
      const { usage } = await usageBy(`group_by=${by}`);
      return Object.fromEntries(usage.map(({ group, requests }: Json) => [group, requests]));
    };
    const today = new Date().toISOString().slice(0, 10);
    expect(await groups('day')).toEqual({ [today]: 3 });
    expect(await groups('model')).toEqual({ [SANDBOX_MODEL]: 2, [UPSTREAM_MODEL]: 1 });
    expect(await groups('customer')).toEqual({ [customer.id]: 1, none: 2 });
    const { none, ...keys } = await groups('key');
    expect([none, Object.values(keys)]).toEqual([1, [2]]);
    const page = await usageBy('group_by=model&limit=1');
    expect([page.usage.length, page.next_cursor]).toEqual([1, '1']);
    expect(await usageBy('group_by=model&limit=1&offset=1')).not.toHaveProperty('next_cursor');
    expect((await usageBy('from=2020-01-01&to=2020-02-01')).usage).toEqual([]);
    expectRefused(await mine.owner.get('/account/usage?from=2020-02-01&to=2020-01-01'), 400, 'INVALID_INPUT');
    expectRefused(await mine.owner.get('/account/usage?group_by=color'), 400, 'VALIDATION_ERROR');
    expect(must(await mine.api.get('/account/usage'), 200)).toMatchObject({
      overrun_microcents: 0,
      unreconciled_microcents: 0,
    });
  });
});
