import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { customerRouter } from '../customers/index.js';
import { portalRouter } from '../portal/index.js';
import { paymentRouter } from './index.js';

const BASE = '/api/v1';
const AT = timestampFromDate(new Date('2026-03-01T00:00:00Z'));
const URLS = { success_url: 'https://shop.example/ok', cancel_url: 'https://shop.example/no' };
const UUID = '7b0f2c36-52a1-4a0e-8d43-3c0f8a4d9e11';
const SESSION = { sessionId: 'cs_1', url: 'https://pay.example/cs_1' };
const TOP_UP = {
  id: UUID,
  sessionId: 'cs_1',
  url: SESSION.url,
  amountCents: 1_500n,
  currency: 'usd',
  status: 'pending',
  reversedCents: 0n,
  automatic: false,
  createdAt: AT,
};
const AUTO = {
  enabled: true,
  thresholdCents: 1_000n,
  amountCents: 2_000n,
  failureCount: 1n,
  limits: { minTopupCents: 500n, maxSingleCents: 10_000n, maxDailyCents: 20_000n, maxMonthlyCents: 50_000n },
  paymentMethod: { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12n, expYear: 2030n },
  lastTriggeredAt: AT,
};
const AUTO_JSON = {
  enabled: true,
  threshold_cents: 1_000,
  amount_cents: 2_000,
  failure_count: 1,
  limits: { min_topup_cents: 500, max_single_cents: 10_000, max_daily_cents: 20_000, max_monthly_cents: 50_000 },
  payment_method: { id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
  last_triggered_at: '2026-03-01T00:00:00.000Z',
};

let harness: RouteTest;
/** The ledger's requests as `method: request`. */
let asked: { method: string; req: Record<string, unknown> }[];
/** The ledger's error; undefined = it answers. */
let refusal: AppError | undefined;
/** Returns the single request that the ledger received. */
const onlyAsked = (): Record<string, unknown> => {
  expect(asked).toHaveLength(1);
  return asked[0]?.req ?? {};
};

const answer =
  <T>(method: string, response: T) =>
  async (req: unknown): Promise<T> => {
    asked.push({ method, req: req as Record<string, unknown> });
    if (refusal) throw refusal;
    return response;
  };

beforeAll(async () => {
  const handlers = {
    createCheckout: answer('createCheckout', SESSION),
    changeTier: answer('changeTier', {
      action: 'upgraded',
      subscription: {
        tierCode: 'pro',
        tierDisplayName: 'Pro',
        priceAmountCents: 2_000n,
        priceCurrency: 'usd',
        priceInterval: 'month',
        subscriptionStatus: 'active',
        currentPeriodStart: AT,
        currentPeriodEnd: AT,
      },
    }),
    createBillingPortal: answer('createBillingPortal', { url: SESSION.url }),
    cancelSubscription: answer('cancelSubscription', {}),
    createWalletTopUp: answer('createWalletTopUp', { topUp: TOP_UP }),
    createAccountTopUp: answer('createAccountTopUp', { topUp: TOP_UP }),
    listAccountTopUps: answer('listAccountTopUps', { topUps: [TOP_UP], hasMore: true }),
    getAccountTopUp: answer('getAccountTopUp', { topUp: { ...TOP_UP, status: 'completed', completedAt: AT } }),
    getAutoTopUp: answer('getAutoTopUp', { autoTopUp: AUTO }),
    setAutoTopUp: answer('setAutoTopUp', { autoTopUp: AUTO }),
    deleteAutoTopUp: answer('deleteAutoTopUp', {}),
    startCardSetup: answer('startCardSetup', { setupIntentId: 'seti_1', clientSecret: 's', status: 'requires_action' }),
    startCardSetupCheckout: answer('startCardSetupCheckout', {
      checkoutSessionId: 'cs_1',
      checkoutUrl: SESSION.url,
      expiresAt: AT,
    }),
    confirmCardSetup: answer('confirmCardSetup', { autoTopUp: AUTO }),
    startCardVerification: answer('startCardVerification', {
      verificationId: UUID,
      checkoutSessionId: 'cs_1',
      checkoutUrl: SESSION.url,
      expiresAt: AT,
    }),
    getCardVerification: answer('getCardVerification', { verification: { verified: false } }),
    confirmCardVerification: answer('confirmCardVerification', {
      verification: {
        verified: true,
        creditGranted: true,
        verifiedAt: AT,
        cardBrand: 'visa',
        cardLast4: '4242',
        grantAmountCents: 500n,
      },
    }),
    receiveNotice: answer('receiveNotice', {}),
  };
  harness = await startRouteTest(
    'payments_routes',
    [customerRouter, portalRouter, paymentRouter],
    [peer(PaymentService, handlers)],
  );
});
beforeEach(() => {
  asked = [];
  refusal = undefined;
});
afterAll(() => harness.stop());

type Who = 'secretKey' | 'publishableKey' | 'ownerToken' | 'customerToken';

function send(method: 'get' | 'post' | 'put' | 'delete', path: string, who: Who | undefined, body?: object) {
  const sent = request(harness.app)[method](`${BASE}${path}`);
  if (who) sent.set('Authorization', `Bearer ${harness.tenant[who]}`);
  return body ? sent.send(body) : sent;
}

interface Row {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  who: Who;
  body?: object;
  status: number;
  answer?: object;
  ask: { method: string; req: object };
}

const customer = { customerId: expect.any(String) };
const links = { successUrl: URLS.success_url, cancelUrl: URLS.cancel_url };
const topUp = { id: UUID, session_id: 'cs_1', url: SESSION.url, checkout_url: SESSION.url, credit_amount_cents: 1_500 };

const rows: Row[] = [
  {
    method: 'post',
    path: `/tiers/${UUID}/checkout`,
    who: 'secretKey',
    body: URLS,
    status: 200,
    answer: { session_id: 'cs_1', url: SESSION.url },
    ask: { method: 'createCheckout', req: { customerId: '', tier: { case: 'tierId', value: UUID }, ...links } },
  },
  {
    method: 'post',
    path: `/customers/${UUID}/subscribe`,
    who: 'secretKey',
    body: { tier_id: UUID, ...URLS },
    status: 201,
    answer: { session_id: 'cs_1', url: SESSION.url },
    ask: { method: 'createCheckout', req: { customerId: UUID, tier: { case: 'tierId', value: UUID }, ...links } },
  },
  {
    method: 'post',
    path: '/customers/me/checkout',
    who: 'customerToken',
    body: { tier_code: 'pro', ...URLS },
    status: 200,
    answer: { session_id: 'cs_1', url: SESSION.url },
    ask: { method: 'createCheckout', req: { ...customer, tier: { case: 'tierCode', value: 'pro' }, ...links } },
  },
  {
    method: 'post',
    path: '/customers/me/billing-portal',
    who: 'customerToken',
    body: { return_url: URLS.success_url },
    status: 200,
    answer: { url: SESSION.url },
    ask: { method: 'createBillingPortal', req: { ...customer, returnUrl: URLS.success_url } },
  },
  {
    method: 'post',
    path: '/customers/me/change-tier',
    who: 'customerToken',
    body: { tier_code: 'pro' },
    status: 200,
    answer: {
      subscription: {
        tier_code: 'pro',
        tier_display_name: 'Pro',
        price_amount_cents: 2_000,
        price_currency: 'usd',
        price_interval: 'month',
        subscription_status: 'active',
        current_period_start: '2026-03-01T00:00:00.000Z',
        current_period_end: '2026-03-01T00:00:00.000Z',
      },
      action: 'upgraded',
    },
    ask: { method: 'changeTier', req: { ...customer, tierCode: 'pro' } },
  },
  {
    method: 'delete',
    path: `/customers/${UUID}/subscription`,
    who: 'secretKey',
    status: 204,
    ask: { method: 'cancelSubscription', req: { customerId: UUID } },
  },
  {
    method: 'post',
    path: '/customers/me/topup',
    who: 'customerToken',
    body: { credit_amount_cents: 1_500, ...URLS },
    status: 201,
    answer: { ...topUp, status: 'pending' },
    ask: { method: 'createWalletTopUp', req: { ...customer, creditAmountCents: 1_500n, ...links } },
  },
  {
    method: 'post',
    path: `/customers/${UUID}/topup`,
    who: 'secretKey',
    body: { credit_amount_cents: 1_500, ...URLS },
    status: 201,
    answer: { ...topUp, status: 'pending' },
    ask: { method: 'createWalletTopUp', req: { customerId: UUID, creditAmountCents: 1_500n, ...links } },
  },
  {
    method: 'post',
    path: '/account/topup',
    who: 'ownerToken',
    body: { amount_cents: 1_500, ...URLS },
    status: 201,
    answer: {
      id: UUID,
      session_id: 'cs_1',
      checkout_url: SESSION.url,
      amount_cents: 1_500,
      currency: 'usd',
      status: 'pending',
      automatic: false,
      reversed_cents: 0,
      created_at: '2026-03-01T00:00:00.000Z',
    },
    ask: { method: 'createAccountTopUp', req: { amountCents: 1_500n, ...links } },
  },
  {
    method: 'get',
    path: '/account/topups?limit=1&offset=4',
    who: 'ownerToken',
    status: 200,
    answer: { topups: [expect.objectContaining({ id: UUID })], next_cursor: '5' },
    ask: { method: 'listAccountTopUps', req: { limit: 1, offset: 4 } },
  },
  {
    method: 'get',
    path: `/account/topups/${UUID}`,
    who: 'ownerToken',
    status: 200,
    answer: expect.objectContaining({ id: UUID, completed_at: '2026-03-01T00:00:00.000Z' }) as object,
    ask: { method: 'getAccountTopUp', req: { id: UUID } },
  },
  {
    method: 'get',
    path: '/account/billing/auto-topup',
    who: 'ownerToken',
    status: 200,
    answer: AUTO_JSON,
    ask: { method: 'getAutoTopUp', req: {} },
  },
  {
    method: 'put',
    path: '/account/billing/auto-topup',
    who: 'ownerToken',
    body: { enabled: true, threshold_cents: 1_000, amount_cents: 2_000 },
    status: 200,
    answer: AUTO_JSON,
    ask: { method: 'setAutoTopUp', req: { enabled: true, thresholdCents: 1_000n, amountCents: 2_000n } },
  },
  {
    method: 'delete',
    path: '/account/billing/auto-topup',
    who: 'ownerToken',
    status: 204,
    ask: { method: 'deleteAutoTopUp', req: {} },
  },
  {
    method: 'post',
    path: '/account/billing/auto-topup/setup',
    who: 'ownerToken',
    status: 200,
    answer: { setup_intent_id: 'seti_1', client_secret: 's', status: 'requires_action' },
    ask: { method: 'startCardSetup', req: {} },
  },
  {
    method: 'post',
    path: '/account/billing/auto-topup/checkout',
    who: 'ownerToken',
    body: URLS,
    status: 201,
    answer: { checkout_session_id: 'cs_1', checkout_url: SESSION.url, expires_at: '2026-03-01T00:00:00.000Z' },
    ask: { method: 'startCardSetupCheckout', req: links },
  },
  {
    method: 'post',
    path: '/account/billing/auto-topup/confirm',
    who: 'ownerToken',
    body: { setup_intent_id: 'seti_1' },
    status: 200,
    answer: AUTO_JSON,
    ask: { method: 'confirmCardSetup', req: { setupIntentId: 'seti_1' } },
  },
  {
    method: 'post',
    path: '/account/card-verification',
    who: 'ownerToken',
    body: URLS,
    status: 201,
    answer: {
      verification_id: UUID,
      checkout_session_id: 'cs_1',
      checkout_url: SESSION.url,
      expires_at: '2026-03-01T00:00:00.000Z',
    },
    ask: { method: 'startCardVerification', req: links },
  },
  {
    method: 'get',
    path: '/account/card-verification',
    who: 'ownerToken',
    status: 200,
    answer: { verified: false, credit_granted: false },
    ask: { method: 'getCardVerification', req: {} },
  },
  {
    method: 'post',
    path: '/account/card-verification/confirm',
    who: 'ownerToken',
    body: { checkout_session_id: 'cs_1' },
    status: 200,
    answer: {
      verified: true,
      credit_granted: true,
      verified_at: '2026-03-01T00:00:00.000Z',
      card_brand: 'visa',
      card_last4: '4242',
      grant_amount_cents: 500,
      grant_already_used_by_card: false,
    },
    ask: { method: 'confirmCardVerification', req: { checkoutSessionId: 'cs_1' } },
  },
];

describe.each([200, 201, 204])('%i', (expected) => {
  it.each(rows.filter(({ status }) => status === expected))('answers $method $path', async (row) => {
    const { status, body } = await send(row.method, row.path, row.who, row.body);
    expect(status).toBe(expected);
    if (row.answer) expect(body).toEqual(row.answer);
    expect(asked).toMatchObject([row.ask]);
  });
});

describe('the default page of a checkout', () => {
  it('returns an owner’s checkout without URLs to the default page', async () => {
    await send('post', '/account/topup', 'ownerToken', { amount_cents: 1_500 });
    const { successUrl } = onlyAsked() as { successUrl: string };
    expect(successUrl).toMatch(/^http:\/\/127\.0\.0\.1.*\/api\/v1\/billing\/checkout-return\?outcome=success$/);
    const page = await request(harness.app).get(new URL(successUrl).pathname + new URL(successUrl).search);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Thank you');
  });
});

describe('Idempotency-Key', () => {
  it('creates one checkout per Idempotency-Key', async () => {
    const ask = () =>
      send('post', '/account/topup', 'ownerToken', { amount_cents: 700 }).set('Idempotency-Key', 'once');
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(asked).toHaveLength(1);
  });

  it('stores a permanent refusal per Idempotency-Key and retries a transient one', async () => {
    const change = (key: string) =>
      send('post', '/customers/me/change-tier', 'customerToken', { tier_code: 'pro' }).set('Idempotency-Key', key);
    refusal = new AppError('CONFLICT', 'in progress', { retryable: true, retryAfterSeconds: 30 });
    const passing = await change('passes');
    expect([passing.status, passing.body.retryable, passing.headers['retry-after']]).toEqual([409, true, '30']);
    refusal = new AppError('CONFLICT', 'never');
    expect((await change('stays')).body.retryable).toBe(false);
    refusal = undefined;
    expect((await change('passes')).status).toBe(200);
    expect((await change('stays')).status).toBe(409);
  });
});

describe('the processor’s webhook events', () => {
  it('passes the exact bytes and the signature to the ledger', async () => {
    const raw = '{"a": 1,\n "b":"\\u00e9"}  ';
    const answered = await request(harness.app)
      .post(`${BASE}/billing/webhooks/stripe`)
      .set('Content-Type', 'application/json; charset=utf-8')
      .set('Stripe-Signature', 't=1,v1=ab')
      .send(raw);
    expect([answered.status, answered.body]).toEqual([200, { received: true }]);
    const { payload, signature } = onlyAsked() as { payload: Uint8Array; signature: string };
    expect(Buffer.from(payload).toString()).toBe(raw);
    expect(signature).toBe('t=1,v1=ab');
  });

  it.each([
    ['INVALID_INPUT', 400],
    ['SERVICE_UNAVAILABLE', 503],
  ] as const)(
    'answers an event that the ledger rejects (%s) with %s, so that it is redelivered',
    async (code, status) => {
      refusal = new AppError(code, 'no');
      const answered = await request(harness.app).post(`${BASE}/billing/webhooks/stripe`).send('{}');
      expect(answered.status).toBe(status);
    },
  );
});

describe('400', () => {
  it.each([
    ['/customers/me/checkout', 'customerToken', { tier_code: 'pro', success_url: 'https://x.example' }, 'cancel_url'],
    ['/customers/me/checkout', 'customerToken', URLS, 'tier_code'],
    [`/customers/${UUID}/subscribe`, 'secretKey', URLS, 'tier_id'],
    [`/tiers/${UUID}/checkout`, 'secretKey', {}, 'success_url'],
    ['/customers/me/topup', 'customerToken', { credit_amount_cents: 1.5, ...URLS }, 'credit_amount_cents'],
    ['/customers/me/topup', 'customerToken', { credit_amount_cents: '900', ...URLS }, 'credit_amount_cents'],
    ['/customers/me/change-tier', 'customerToken', {}, 'tier_code'],
    ['/account/topup', 'ownerToken', {}, 'amount_cents'],
    ['/account/billing/auto-topup/confirm', 'ownerToken', {}, 'setup_intent_id'],
    ['/account/card-verification/confirm', 'ownerToken', {}, 'checkout_session_id'],
    ['/customers/me/change-tier', 'customerToken', { tier_code: '\0' }, 'tier_code'],
    [`/customers/${UUID}/subscribe`, 'secretKey', { tier_id: '\0', ...URLS }, 'tier_id'],
    ['/account/billing/auto-topup/confirm', 'ownerToken', { setup_intent_id: 'a\0' }, 'setup_intent_id'],
    ['/account/card-verification/confirm', 'ownerToken', { checkout_session_id: 'a\0' }, 'checkout_session_id'],
  ] as const)('names the missing or invalid field of %s', async (path, who, body, field) => {
    const { status, body: error } = await send('post', path, who, body);
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error.fields.map((fault: { field: string }) => fault.field)).toContain(field);
  });
});

describe('403', () => {
  const others: Record<Who, Who[]> = {
    secretKey: ['publishableKey', 'customerToken', 'ownerToken'],
    publishableKey: [],
    ownerToken: ['publishableKey', 'customerToken', 'secretKey'],
    customerToken: ['publishableKey', 'ownerToken', 'secretKey'],
  };

  it.each(rows)('rejects $method $path with another kind of credential', async (row) => {
    for (const who of others[row.who]) expect((await send(row.method, row.path, who, row.body)).status).toBe(403);
    expect(asked).toEqual([]);
  });
});

describe.each([
  [402, 'PAYMENT_REQUIRED', {}],
  [404, 'NOT_FOUND', {}],
  [409, 'CONFLICT', {}],
  [422, 'INVALID_INPUT', { status: 422 }],
  [503, 'SERVICE_UNAVAILABLE', {}],
] as const)('%i', (status, code, options) => {
  it(`keeps the ledger’s message for ${code}, even for a customer`, async () => {
    refusal = new AppError(code, 'the message of the rule', options);
    const { body, status: got } = await send('post', '/customers/me/change-tier', 'customerToken', {
      tier_code: 'pro',
    });
    expect([got, body.code, body.message]).toEqual([status, code, 'the message of the rule']);
  });
});
