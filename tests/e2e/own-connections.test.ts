// Bring your own key: a project has a connection to a vendor, its customers use it, and the owner account pays nothing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeProvider, type Json, responsesBody, startFakeProvider, waitUntil } from '@tollgate/testkit';
import { must, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const KEY = 'sk-ant-brought-by-the-project-4711';
const WALLET = 10_000_000;

describe('a connection of a project', () => {
  const system = useSystem();
  let vendor: FakeProvider;
  let project: TestProject;

  beforeAll(async () => {
    vendor = await startFakeProvider({ apiKey: KEY });
  });
  afterAll(async () => {
    await vendor?.stop();
  });
  beforeEach(async () => {
    project = await system.project({ fundsCents: 0 });
  });

  const connections = (suffix = '') => `/projects/${project.id}/connections${suffix}`;
  const settings = (more: Json = {}): Json => ({
    name: 'my-vendor',
    wire: 'anthropic',
    base_url: vendor.anthropicBaseUrl,
    auth: { type: 'header', name: 'x-api-key' },
    keys: [{ secret: KEY }],
    models: [{ model: UPSTREAM_MODEL, upstream_model: 'claude-sonnet-5-5' }],
    ...more,
  });
  const connect = async (more?: Json): Promise<Json> =>
    must(await project.owner.post(connections(), settings(more)), 201).connection;
  const customer = () => project.customerOn('paygo', { walletMicrocents: BigInt(WALLET) });
  const body = responsesBody('hello', { model: UPSTREAM_MODEL });

  async function record(requestId: string): Promise<Json> {
    const path = `/projects/${project.id}/requests`;
    const found = await waitUntil(
      async () => must(await project.owner.get(`${path}?request_id=${requestId}`), 200).requests[0],
      { what: `the record of ${requestId}`, timeoutMs: 60_000 },
    );
    return must(await project.owner.get(`${path}/${found.id}`), 200).request;
  }

  const ownerBalance = async () => must(await project.owner.get('/account/balance'), 200).balance_microcents;

  it('serves the stream of a customer, who pays the tier, while the owner pays nothing', async () => {
    await connect({ mode: 'only' });
    const buyer = await customer();
    const requests = vendor.requests.length;
    const id = `own-${randomUUID()}`;
    const headers = { 'X-Service-Request-Id': id, accept: 'application/x-ndjson' };
    const streamed = await buyer.api.post('/responses', body, headers);
    expect([streamed.status, streamed.text.includes('hello')]).toEqual([200, true]);
    expect(vendor.requests.slice(requests)).toMatchObject([{ body: { model: 'claude-sonnet-5-5', stream: true } }]);
    const found = await record(id);
    const { input_tokens: input, output_tokens: output } = found;
    expect(found).toMatchObject({
      status: 'succeeded',
      revenue_microcents: input * 200 + output * 600,
      cost_microcents: input * 150 + output * 450,
      attempts: [{ connection: 'my-vendor', own_connection: true, outcome: 'answered' }],
      hold: { owner_held_microcents: 0, owner_charged_microcents: 0 },
    });
    const wallet = must(await buyer.api.get('/customers/me/balance'), 200);
    expect(wallet.balance_microcents).toBe(WALLET - found.revenue_microcents);
    expect(await ownerBalance()).toBe(0);
    expect((await project.verify()).differences).toEqual([]);
  });

  it('serves the dialect of the vendor, too', async () => {
    await connect();
    const messages = [{ role: 'user', content: 'hello' }];
    const asked = { model: UPSTREAM_MODEL, max_tokens: 50, messages };
    const answered = await project.api.at(new URL(system.baseUrl).origin).post('/v1/messages', asked);
    expect(must(answered, 200)).toMatchObject({ type: 'message' });
    expect(vendor.requests.at(-1)).toMatchObject({ body: { max_tokens: 50 } });
    expect(await ownerBalance()).toBe(0);
  });

  it('hides a key that the vendor refuses from the customer, and reports it to the owner', async () => {
    const { id } = await connect({
      mode: 'only',
      base_url: system.provider.anthropicBaseUrl,
      keys: [{ secret: 'any' }],
    });
    const buyer = await customer();
    system.provider.next({ status: 401 });
    const requestId = `refused-${randomUUID()}`;
    const refused = await buyer.api.post('/responses', body, { 'X-Service-Request-Id': requestId });
    expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.text).not.toContain('my-vendor');
    const { attempts } = await record(requestId);
    expect(attempts).toMatchObject([{ connection: 'my-vendor', outcome: 'failed', http_status: 401 }]);
    expect(must(await project.owner.post(connections(`/${id}/test`)), 200)).toMatchObject({ status: 'success' });
  });

  it('falls back to the routes of the installation, which the owner pays', async () => {
    project = await system.project({ fundsCents: 100_000 });
    await connect({ base_url: system.provider.anthropicBaseUrl, keys: [{ secret: 'any' }] });
    const before = await ownerBalance();
    system.provider.next({ status: 401 });
    const requestId = `fallback-${randomUUID()}`;
    must(await project.api.post('/responses', body, { 'X-Service-Request-Id': requestId }), 200);
    const { attempts, cost_microcents: cost } = await record(requestId);
    expect(attempts).toMatchObject([
      { connection: 'my-vendor', own_connection: true, outcome: 'failed' },
      { connection: 'openai', outcome: 'answered' },
    ]);
    expect(cost).toBeGreaterThan(0);
    expect(await ownerBalance()).toBe(before - cost);
  });

  it('stores nothing that the vendor refuses, and quotes the vendor', async () => {
    const refused = await project.owner.post(connections(), settings({ keys: [{ secret: 'sk-ant-wrong' }] }));
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.message).toMatch(/^the connection does not work: 127\.0\.0\.1:\d+ answered 401: ./);
    expect(must(await project.owner.get(connections()), 200)).toEqual({ connections: [] });
  });

  it('shows the last four characters of a key, and the rest nowhere', async () => {
    const created = await connect();
    expect(created).toMatchObject({ mode: 'prefer', keys: [{ last_four: '4711', weight: 1 }] });
    const shown = [
      created,
      must(await project.owner.get(connections(`/${created.id}`)), 200),
      must(await project.owner.get('/account/audit-log'), 200),
    ];
    expect(JSON.stringify(shown)).not.toContain(KEY);
    expect(system.log()).not.toContain(KEY);
  });

  it('stops using a connection within seconds of its deletion', async () => {
    const { id } = await connect({ mode: 'only' });
    must(await project.api.post('/responses', body), 200);
    expect((await project.owner.delete(connections(`/${id}`))).status).toBe(204);
    // The owner cannot pay for the route of the installation.
    const refused = await waitUntil(
      async () => {
        const answer = await project.api.post('/responses', body);
        return answer.body.code === 'PROVIDER_ACCOUNT_UNFUNDED' && answer;
      },
      { what: 'the end of the connection' },
    );
    expect(refused.status).toBe(402);
  });
});
