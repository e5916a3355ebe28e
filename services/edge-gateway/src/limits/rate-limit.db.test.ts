import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { controllableClock } from '@tollgate/testkit';
import request from 'supertest';
import { defineRoute, type Route } from '../http/exchange/route.js';
import { peer, type RouteTest, startRouteTest } from '../testing/route-test.js';

const routes: Route[] = (['none', ['secret_key', 'publishable_key', 'customer', 'owner']] as const).map((auth) =>
  defineRoute({
    method: 'GET',
    path: auth === 'none' ? '/open' : '/closed',
    tag: 'Test',
    summary: 'Test',
    auth,
    success: { status: 204 },
    handler: async () => ({ status: 204 }),
  }),
);

const clock = controllableClock(new Date());
let tierLimit: number | undefined;
let harness: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, { getTier: () => ({ tier: { rateLimitPerMinute: tierLimit } }) });
  const env = {
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: '6',
    RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '3',
    RATE_LIMIT_CUSTOMER_PER_MINUTE: '5',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '7',
  };
  harness = await startRouteTest(import.meta.url, routes, [billing], { clock, env });
});

afterAll(() => harness.stop());

beforeEach(() => {
  tierLimit = 4;
  // Every limit counts from zero again.
  clock.advance({ minutes: 1 });
});

const get = (credential?: string, path = '/closed') => {
  const sending = request(harness.app).get(`/api/v1${path}`);
  return credential === undefined ? sending : sending.set('Authorization', `Bearer ${credential}`);
};

/** Counts the answers before the first 429, and returns that 429 too. */
async function untilRefused(send: () => ReturnType<typeof get>) {
  for (let answered = 0; ; answered++) {
    const res = await send();
    if (res.status === 429) return { answered, res };
  }
}

describe('429', () => {
  it('answers in plain text with Retry-After, and accepts requests again after that time', async () => {
    const { answered, res } = await untilRefused(() => get(harness.tenant.secretKey));
    expect(answered).toBe(6);
    expect(res.text).toBe('rate limit exceeded');
    expect(res.headers).toMatchObject({
      'content-type': expect.stringContaining('text/plain'),
      'retry-after': '10',
      'ratelimit-limit': '6',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    });
    clock.advance({ seconds: 10 });
    expect((await get(harness.tenant.secretKey)).status).toBe(204);
  });

  it('counts per key', async () => {
    expect((await untilRefused(() => get(harness.tenant.publishableKey))).answered).toBe(3);
    expect((await untilRefused(() => get(harness.stranger.publishableKey))).answered).toBe(3);
  });

  it('uses the limit of the customer’s tier, over all tokens of the customer', async () => {
    const { customerId, projectId } = harness.tenant;
    const ids = { sub: customerId, pid: projectId, euid: customerId, eext: 'x', tier: 'free' };
    const second = await harness.ctx.tokens.sign({ typ: 'customer', sid: 'another', ...ids }, 60);
    let turn = 0;
    const tokens = [harness.tenant.customerToken, second.token];
    expect((await untilRefused(() => get(tokens[turn++ % 2]))).answered).toBe(4);
  });

  it('uses the default limit when the tier has none', async () => {
    tierLimit = undefined;
    expect((await untilRefused(() => get(harness.stranger.customerToken))).answered).toBe(5);
  });

  it('counts open endpoints and invalid keys together per address', async () => {
    const sends = [() => get(undefined, '/open'), () => get('tg_sk_wrong'), () => get(undefined, '/nothing')];
    let turn = 0;
    expect((await untilRefused(() => sends[turn++ % 3]!())).answered).toBe(7);
    expect((await get(harness.tenant.ownerToken)).status).toBe(204);
  });
});
