// Reports about requests: what the whole system served, refused and failed to serve, with the amounts of the ledger.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, type Json, responsesBody, runBody, waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const WAIT_MS = 60_000;

describe('requests', () => {
  // No server listens there.
  const system = useSystem({ mode: 'separate processes', env: { XAI_BASE_URL: 'http://127.0.0.1:9/v1' } });
  const project = useProject(system);
  let customer: { id: string; api: ApiClient };

  beforeAll(async () => {
    customer = await project.customerOn('paygo', { walletMicrocents: 1_000_000n });
  }, 120_000);

  const report = async (path: string) => must(await project.owner.get(`/projects/${project.id}${path}`), 200);

  /** The record of the request that the client named. */
  async function record(requestId: string): Promise<Json> {
    const find = async () => (await report(`/requests?request_id=${requestId}`)).requests;
    await waitUntil(async () => (await find()).length > 0, { what: `the record of ${requestId}`, timeoutMs: WAIT_MS });
    const [found, ...others] = await find();
    expect(others).toEqual([]);
    return found;
  }

  const ask = (api: ApiClient, body: object, id: string, accept = 'application/json') =>
    api.post('/responses', body, { 'X-Service-Request-Id': id, accept });

  it('records a plain and a streamed request with usage, charge and latency', async () => {
    for (const [accept, streaming] of [
      ['application/json', false],
      ['application/x-ndjson', true],
    ] as const) {
      const id = `served-${randomUUID()}`;
      expect((await ask(customer.api, responsesBody('hello'), id, accept)).status).toBe(200);
      const found = await record(id);
      expect(found).toMatchObject({
        request_id: id,
        status: 'succeeded',
        http_status: 200,
        customer_id: customer.id,
        model: SANDBOX_MODEL,
        provider: 'sandbox',
        streaming,
        cached: false,
        estimated: false,
        duration_ms: expect.any(Number),
      });
      expect(found.revenue_microcents).toBe(found.input_tokens * 100 + found.output_tokens * 300);
      expect('first_output_ms' in found).toBe(streaming);
      const { request } = await report(`/requests/${found.id}`);
      expect(request).toMatchObject(found);
      expect(request).toMatchObject({
        admission_ms: expect.any(Number),
        admission: { verdict: 'allowed' },
        attempts: [{ provider: 'sandbox', outcome: 'answered' }],
        prices: { currency: 'usd', customer: { input_per_million_cents: 100, output_per_million_cents: 300 } },
        hold: {
          state: 'posted',
          customer_charged_microcents: found.revenue_microcents,
          owner_charged_microcents: found.cost_microcents,
        },
      });
      const wallet = request.admission.limits.find(({ limit }: Json) => limit === 'wallet');
      expect(wallet.charged).toBe(found.revenue_microcents);
      expect(wallet.available_before).toBeGreaterThanOrEqual(wallet.held);
    }
  });

  it('records a failure with its code, and a refusal without tokens', async () => {
    const [failed, refused] = [`failed-${randomUUID()}`, `refused-${randomUUID()}`];
    expect((await ask(customer.api, responsesBody('fail with 500'), failed)).status).toBe(500);
    expect(await record(failed)).toMatchObject({
      status: 'failed',
      error_code: expect.any(String),
      revenue_microcents: 0,
    });
    const empty = await project.customerOn('paygo');
    expect((await ask(empty.api, responsesBody('hello'), refused)).status).toBe(402);
    expect(await record(refused)).toMatchObject({
      status: 'refused',
      http_status: 402,
      error_code: 'WALLET_EMPTY',
      customer_id: empty.id,
      input_tokens: 0,
      cost_microcents: 0,
    });
    const { request } = await report(`/requests/${(await record(refused)).id}`);
    expect(request).not.toHaveProperty('hold');
    expect(request.admission).toMatchObject({
      verdict: 'refused',
      limits: [{ limit: 'wallet', available_before: 0, verdict: 'refused' }],
    });
  });

  it('adds the requests of runs, and sums to what the ledger has charged', async () => {
    must(await project.api.post('/runs', runBody('hello')), 200);
    const cost = async () =>
      must(await project.owner.get('/account/usage?group_by=model'), 200).usage.reduce(
        (sum: number, row: Json) => sum + row.provider_microcents,
        0,
      );
    const totals = async () => (await report('/usage?interval=total&group_by=customer')).totals;
    await waitUntil(async () => (await report('/requests')).requests.some((one: Json) => !one.customer_id), {
      what: "the record of the run's request",
      timeoutMs: WAIT_MS,
    });
    expect((await totals()).cost_microcents).toBe(await cost());
    const { credits } = await balance();
    expect((await totals()).revenue_microcents).toBe(credits);
    expect(await totals()).toMatchObject({ requests: 5, succeeded: 3, failed: 1, refused: 1, unreported: 0 });
  });

  it('names the providers that were asked, in the order of the fallback', async () => {
    const id = `fallback-${randomUUID()}`;
    expect((await ask(project.api, responsesBody('hello', { model: 'test/fallback-1' }), id)).status).toBe(200);
    const { request } = await report(`/requests/${(await record(id)).id}`);
    expect(request.attempts).toMatchObject([
      { provider: 'xai', model: 'nobody-1', outcome: 'failed', failure: 'transport' },
      { provider: 'openai', model: 'upstream-1', outcome: 'answered' },
    ]);
  });

  /** The sum that the customer has paid. */
  async function balance(): Promise<{ credits: number }> {
    const path = `/projects/${project.id}/customers/${customer.id}/balance`;
    const left = must(await project.owner.get(path), 200).balance_microcents;
    return { credits: 1_000_000 - left };
  }
});
