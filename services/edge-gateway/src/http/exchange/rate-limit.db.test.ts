import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { controllableClock } from '@tollgate/testkit';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { defineRoute, type Route } from './route.js';

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
let tierLimit: number | undefined = 4;
let test: RouteTest;

beforeAll(async () => {
  const billing = peer(BillingService, { getTier: () => ({ tier: { rateLimitPerMinute: tierLimit } }) });
  const env = {
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: '6',
    RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '3',
    RATE_LIMIT_CUSTOMER_PER_MINUTE: '5',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '7',
  };
  test = await startRouteTest(import.meta.url, routes, [billing], { clock, env });
});

afterAll(() => test.stop());

const get = (credential?: string, path = '/closed') => {
  const sending = request(test.app).get(`/api/v1${path}`);
  return credential === undefined ? sending : sending.set('Authorization', `Bearer ${credential}`);
};

/** How many are answered before the first 429, which is returned too. */
async function untilRefused(send: () => ReturnType<typeof get>) {
  for (let answered = 0; ; answered++) {
    const res = await send();
    if (res.status === 429) return { answered, res };
  }
}

describe('429', () => {
  it('is plain text with Retry-After, and passes', async () => {
    const { answered, res } = await untilRefused(() => get(test.tenant.secretKey));
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
    expect((await get(test.tenant.secretKey)).status).toBe(204);
  });

  it('comes by key, so that nobody uses up another’s', async () => {
    expect((await untilRefused(() => get(test.tenant.publishableKey))).answered).toBe(3);
    expect((await untilRefused(() => get(test.stranger.publishableKey))).answered).toBe(3);
  });

  it('comes by what the customer’s tier says, over all tokens of the customer', async () => {
    const { customerId, projectId } = test.tenant;
    const ids = { sub: customerId, pid: projectId, euid: customerId, eext: 'x', tier: 'free' };
    const second = await test.ctx.tokens.sign({ typ: 'customer', sid: 'another', ...ids }, 60);
    let turn = 0;
    const tokens = [test.tenant.customerToken, second.token];
    expect((await untilRefused(() => get(tokens[turn++ % 2]))).answered).toBe(4);
  });

  it('comes by the default where the tier says nothing', async () => {
    tierLimit = undefined;
    expect((await untilRefused(() => get(test.stranger.customerToken))).answered).toBe(5);
  });

  it('comes by address without good credentials, open endpoints and wrong keys together', async () => {
    const sends = [() => get(undefined, '/open'), () => get('tg_sk_wrong'), () => get(undefined, '/nothing')];
    let turn = 0;
    expect((await untilRefused(() => sends[turn++ % 3]!())).answered).toBe(7);
    expect((await get(test.tenant.ownerToken)).status).toBe(204);
  });
});
