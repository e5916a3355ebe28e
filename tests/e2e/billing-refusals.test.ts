// Through the public API: a customer on a tier with prices uses up each limit with successful requests, and the
// customer and the owner get their refusals (SPEC "Billing admission refusals").
import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { type ApiClient, customerBody, paygoTierBody, responsesBody, tierBody } from '@tollgate/testkit';
import { nativeErrorFaults } from '../system/native-error.js';
import { must, SANDBOX_MODEL, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

/** Limits that only the configuration sets. Only the requests that are meant to reach the quota do so. */
const ENV = {
  FREE_CREDIT_DAILY_CAP_CENTS: '1',
  ACCOUNT_QUOTA_UNITS: '80',
  RATE_LIMIT_CUSTOMER_PER_MINUTE: '10000',
};

const system = useSystem({ env: ENV });

/** 40,000 bytes are 10,004 tokens of the sandbox. */
const LONG = 'x'.repeat(40_000);
/** At 100 cents per million tokens in: a little more than a cent at the catalog's price. */
const aboutOneCent = responsesBody(LONG, { max_output_tokens: 1 });
const small = responsesBody('hello', { max_output_tokens: 10 });

interface Customer {
  id: string;
  api: ApiClient;
}

const prices = (input: number, output: number) => [
  {
    model_id: SANDBOX_MODEL,
    is_default: true,
    input_price_per_million_cents: input,
    output_price_per_million_cents: output,
  },
];

/** A tier with these prices, and a customer who is subscribed to it with its first token. */
async function customerOn(project: TestProject, tier: Record<string, unknown>): Promise<Customer> {
  const { tier: made } = must(await project.owner.post(`/projects/${project.id}/tiers`, tier), 201);
  const { customer } = must(await project.api.post('/customers', customerBody()), 201);
  const token = { customer_id: customer.id, tier_code: made.tier_code };
  return {
    id: customer.id,
    api: system.anonymous.as(must(await project.api.post('/auth/customer-token', token), 200).token),
  };
}

/** Credit without a payment. */
async function grant(project: TestProject, customer: Customer, target: 'wallet' | 'account', cents: bigint) {
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SYSTEM, projectId: project.id });
  const to = target === 'wallet' ? ('customerId' as const) : ('accountOfCustomerId' as const);
  await system.stack.billing.grantCredit(
    {
      target: { case: to, value: customer.id },
      amountMicrocents: cents * 1_000_000n,
      reason: 'promo',
      cause: randomUUID(),
    },
    startCall({ principal, timeoutMs: 30_000 }),
  );
}

/** Sends requests until one is refused; returns how many were served. */
async function exhaust(api: ApiClient, body: unknown, headers?: Record<string, string>): Promise<number> {
  for (let served = 0; served < 200; served++) {
    const answer = await api.post('/responses', body, headers);
    if (answer.status !== 200) return served;
  }
  throw new Error('never refused');
}

interface Row {
  code: string;
  /** Uses up the limit; returns who sends the next request, and which one. */
  exhaust(): Promise<{ project: TestProject; customer: Customer; key?: string; asks?: unknown }>;
  toCustomer: 402 | 503 | 'cannot occur';
}

const rows: Row[] = [
  {
    code: 'SUBSCRIPTION_INACTIVE',
    toCustomer: 402,
    exhaust: async () => {
      const project = await system.project();
      const tier = tierBody({ tier_code: 'ext', price_amount_cents: 900, billing_provider: 'external' });
      must(await project.owner.post(`/projects/${project.id}/tiers`, tier), 201);
      const customer = await customerOn(project, tierBody({ models: prices(100, 300) }));
      must(await customer.api.post('/responses', small), 200);
      const unpaid = { tier_code: 'ext', subscription_status: 'unpaid' };
      must(await project.api.put(`/customers/${customer.id}/subscription`, unpaid), 200);
      return { project, customer };
    },
  },
  {
    code: 'TIER_ALLOWANCE_EXHAUSTED',
    toCustomer: 402,
    exhaust: async () => {
      const project = await system.project();
      // A thousandth of a cent per token in.
      const customer = await customerOn(project, tierBody({ spend_limit_cents: 1, models: prices(1_000, 3_000) }));
      expect(await exhaust(customer.api, small)).toBeGreaterThan(1);
      const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
      expect(usage.total_cost_microcents).toBeLessThanOrEqual(1_000_000);
      expect(usage.low).toBe(true);
      return { project, customer };
    },
  },
  {
    code: 'WALLET_EMPTY',
    toCustomer: 402,
    exhaust: async () => {
      const project = await system.project();
      const customer = await customerOn(project, paygoTierBody({ models: prices(1_000, 3_000) }));
      await grant(project, customer, 'wallet', 1n);
      expect(await exhaust(customer.api, small)).toBeGreaterThan(1);
      const balance = must(await customer.api.get('/customers/me/balance'), 200);
      expect(balance.balance_microcents).toBeGreaterThanOrEqual(0);
      return { project, customer };
    },
  },
  {
    code: 'API_KEY_SPEND_LIMIT_REACHED',
    toCustomer: 'cannot occur',
    exhaust: async () => {
      const project = await system.project();
      const customer = await customerOn(project, tierBody({ models: prices(100, 300) }));
      const limited = { label: 'limited', project_id: project.id, spend_limit_cents: 3 };
      const key: string = must(await project.owner.post('/api-keys', limited), 201).api_key.secret_key;
      expect(await exhaust(system.anonymous.as(key), aboutOneCent)).toBe(2);
      return { project, customer, key, asks: aboutOneCent };
    },
  },
  {
    code: 'PROVIDER_ACCOUNT_UNFUNDED',
    toCustomer: 503,
    exhaust: async () => {
      const project = await system.project({ fundsCents: 3 });
      const customer = await customerOn(project, tierBody({ models: prices(1, 1) }));
      expect(await exhaust(customer.api, aboutOneCent)).toBe(2);
      return { project, customer, asks: aboutOneCent };
    },
  },
  {
    code: 'FREE_CREDIT_DAILY_CAP',
    toCustomer: 503,
    exhaust: async () => {
      const project = await system.project({ fundsCents: 0 });
      const customer = await customerOn(project, tierBody({ models: prices(1, 1) }));
      await grant(project, customer, 'account', 1_000n);
      const aThird = responsesBody('x'.repeat(13_000), { max_output_tokens: 1 });
      expect(await exhaust(customer.api, aThird)).toBe(3);
      return { project, customer, asks: aThird };
    },
  },
  {
    code: 'ACCOUNT_QUOTA_EXCEEDED',
    toCustomer: 503,
    exhaust: async () => {
      const project = await system.project();
      const customer = await customerOn(project, tierBody({ models: prices(1, 1) }));
      expect(await exhaust(customer.api, small)).toBe(80);
      return { project, customer };
    },
  },
];

describe.each(rows)('$code', ({ code, exhaust: useUp, toCustomer }) => {
  it('returns 402 with the code to the owner, and the answer of the table to the customer', async () => {
    const { project, customer, key = project.secretKey, asks = small } = await useUp();
    const before = must(await customer.api.get('/customers/me/usage'), 200).usage;

    const owners = system.anonymous.as(key);
    const refused = await owners.post('/responses', asks, { 'x-service-customer-id': customer.id });
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([402, code, false]);
    expect(nativeErrorFaults(refused)).toEqual([]);

    const answer = await customer.api.post('/responses', asks);
    if (toCustomer === 402)
      expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([402, code, false]);
    if (toCustomer === 503) {
      const { status, body, headers } = answer;
      expect([status, body.code, body.retryable, headers['retry-after']]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        true,
        '30',
      ]);
      expect(answer.text).not.toContain(code);
      expect(nativeErrorFaults(answer)).toEqual([]);
    }
    if (toCustomer === 'cannot occur') {
      // A customer's token never spends from a limited key, because such a key cannot mint one.
      expect(answer.status).toBe(200);
      const minting = await owners.post('/auth/customer-token', { customer_id: customer.id });
      expect([minting.status, minting.body.code]).toEqual([403, 'FORBIDDEN']);
    }

    const after = must(await customer.api.get('/customers/me/usage'), 200).usage;
    expect(after.requests - before.requests).toBe(toCustomer === 'cannot occur' ? 1 : 0);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, overrun_microcents: 0 });
  });
});

describe('60 concurrent requests against an allowance of one cent', () => {
  it('serves at most one cent and meters exactly what it served', async () => {
    const project = await system.project();
    const customer = await customerOn(project, tierBody({ spend_limit_cents: 1, models: prices(1_000, 3_000) }));
    const ask = responsesBody('wait 300 ms', { max_output_tokens: 20 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => customer.api.post('/responses', ask)));
    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(served.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['402 TIER_ALLOWANCE_EXHAUSTED']),
    );
    const sum = (field: string) => served.reduce((total, { body }) => total + body.usage[field], 0);
    const cost = sum('input_tokens') * 1_000 + sum('output_tokens') * 3_000;
    expect(cost).toBeLessThanOrEqual(1_000_000);
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage).toMatchObject({
      requests: served.length,
      tokens: sum('total_tokens'),
      total_cost_microcents: cost,
      spend_limit_cents: 1,
      spend_remaining_microcents: 1_000_000 - cost,
    });
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, overrun_microcents: 0 });
  });
});
