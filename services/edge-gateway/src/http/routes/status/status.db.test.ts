import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { controllableClock } from '@tollgate/testkit';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { statusRouter } from './index.js';

const clock = controllableClock();
let harness: RouteTest;
let isLedgerUp = true;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [statusRouter], [], { clock });
  harness.ctx.health.watch({
    name: 'billing-ledger',
    async check() {
      if (!isLedgerUp) throw new Error('connect ECONNREFUSED 10.0.0.7:50051');
      return undefined;
    },
  });
});
afterAll(() => harness.stop());

/** Checks the dependencies as the background does, and again once a failure counts as lasting. */
async function refresh(): Promise<void> {
  await harness.ctx.health.refresh();
  clock.advance({ seconds: 5 });
  await harness.ctx.health.refresh();
  await harness.ctx.revocations.poll(harness.ctx.pool);
}

describe('GET /status', () => {
  it('answers 200 without credentials, with every area and a short life in caches', async () => {
    await refresh();
    const { status, body, headers } = await request(harness.app).get('/status');
    expect(status).toBe(200);
    expect(body.status).toBe('operational');
    const names = body.areas.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['API', 'Models', 'Billing', 'Runs', 'Agents', 'Webhooks', 'Events']);
    expect(headers['cache-control']).toBe('public, max-age=5');
  });

  it('shows a page to browsers', async () => {
    await refresh();
    const { status, headers, text } = await request(harness.app).get('/status').set('Accept', 'text/html,*/*;q=0.8');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('<h1>Everything works</h1>');
  });

  it('names neither the parts that fail nor their reasons, and neither does /readyz', async () => {
    isLedgerUp = false;
    await refresh();
    const { body, text } = await request(harness.app).get('/status');
    expect(body.status).toBe('degraded');
    expect(body.areas).toContainEqual({ name: 'Billing', status: 'down' });
    expect(text).not.toMatch(/ledger|refused|10\.0\.0\.7/);
    const probe = await request(harness.app).get('/readyz');
    expect([probe.status, probe.body]).toEqual([200, { status: 'degraded' }]);
  });
});
