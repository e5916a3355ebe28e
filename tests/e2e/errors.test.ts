// Errors of invalid requests: every refusal of the edge, in the envelope of the contract.
import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, type ApiResponse, chatBody, responsesBody } from '@tollgate/testkit';
import { nativeErrorFaults } from '../system/native-error.js';
import { must, SANDBOX_MODEL, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem({ env: { RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '20' } });
const project = useProject(system);
let customer: TestCustomer;

beforeAll(async () => {
  customer = await project.customerOn('free');
});

/** Returns status and code after checking the envelope. */
function expectNative(answer: ApiResponse, status: number, code: string): void {
  expect([answer.status, answer.body?.code]).toEqual([status, code]);
  expect(nativeErrorFaults(answer)).toEqual([]);
}

describe('credentials', () => {
  it('returns 401 without a valid credential and 403 for one of the wrong kind', async () => {
    expectNative(await system.anonymous.post('/responses', responsesBody()), 401, 'UNAUTHORIZED');
    expectNative(await system.anonymous.as('tg_sk_wrong').post('/responses', responsesBody()), 401, 'UNAUTHORIZED');
    expectNative(await project.publishable.post('/responses', responsesBody()), 403, 'FORBIDDEN');
    expectNative(await project.owner.post('/responses', responsesBody()), 403, 'FORBIDDEN');
  });

  it('accepts both header forms, and rejects an invalid bearer despite a valid key header', async () => {
    const key = { 'x-service-api-key': project.secretKey };
    must(await system.anonymous.as(key).get('/customers'), 200);
    must(await system.anonymous.as(key).post('/responses', responsesBody()), 200);
    const both = { ...key, authorization: 'Bearer tg_sk_wrong' };
    for (const path of ['/customers', '/responses'] as const) {
      const answer = await system.anonymous.as(both).send(path === '/customers' ? 'GET' : 'POST', path);
      expectNative(answer, 401, 'UNAUTHORIZED');
    }
  });
});

describe('X-Service-Customer-Id', () => {
  const ask = (api: ApiClient, id: string) => api.post('/responses', responsesBody(), { 'x-service-customer-id': id });

  it("makes a secret key's request the customer's", async () => {
    const before = must(await customer.api.get('/customers/me/usage'), 200).usage.requests;
    must(await ask(project.api, customer.id), 200);
    must(await project.api.post('/responses', responsesBody()), 200);
    expect(must(await customer.api.get('/customers/me/usage'), 200).usage.requests).toBe(before + 1);
  });

  it('returns 400 for an empty id and 404 for an unknown, malformed or foreign one', async () => {
    const foreign = await (await system.project()).customerOn('free');
    expectNative(await ask(project.api, ''), 400, 'INVALID_INPUT');
    for (const id of ['00000000-0000-4000-8000-000000000000', 'someone', foreign.id])
      expectNative(await ask(project.api, id), 404, 'NOT_FOUND');
  });

  it("does not charge another customer that a customer's token names", async () => {
    const other = await project.customerOn('free');
    must(await ask(customer.api, other.id), 200);
    expect(must(await other.api.get('/customers/me/usage'), 200).usage.requests).toBe(0);
  });

  it('requires a model if there is no customer with a default', async () => {
    const { model: _none, ...withoutModel } = responsesBody();
    expectNative(await project.api.post('/responses', withoutModel), 400, 'INVALID_INPUT');
    expect(must(await customer.api.post('/responses', withoutModel), 200).model).toBe(SANDBOX_MODEL);
  });
});

describe('the request', () => {
  it('returns 400 for an unknown model and 403 for one outside the tier, naming it', async () => {
    for (const api of [customer.api, project.api]) {
      const answer = await api.post('/responses', responsesBody('hi', { model: 'no/such-model' }));
      expectNative(answer, 400, 'INVALID_INPUT');
      expect(answer.body.message).toContain('no/such-model');
    }
    const outside = await customer.api.post('/responses', responsesBody('hi', { model: 'sandbox/image-1' }));
    expect([outside.status, outside.body.message]).toEqual([403, expect.stringContaining('sandbox/image-1')]);
  });

  it.each([
    ['broken JSON', '{"input": ['],
    ['no object', '[]'],
    ['a nest of 300 levels', `{"input":${'['.repeat(300)}${']'.repeat(300)}}`],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['an empty body', ''],
  ])('returns 400 for %s on hot and ordinary routes', async (_, body) => {
    for (const path of ['/responses', '/customers'])
      expect(await project.api.send('POST', path, body, { 'content-type': 'application/json' })).toMatchObject({
        status: 400,
        body: { error: 'api_error', cause: 'validation', retryable: false },
      });
  });

  it('names every field that does not validate', async () => {
    const answer = await customer.api.post('/responses', {
      input: [{ type: 'message', role: 'nobody', content: [] }],
      temperature: 3,
      stop: Array.from({ length: 9 }, () => 'x'),
    });
    expectNative(answer, 400, 'VALIDATION_ERROR');
    const fields = answer.body.fields.map(({ field }: { field: string }) => field).join(' ');
    for (const name of ['role', 'temperature', 'stop']) expect(fields).toContain(name);
  });

  it('returns 404 for an unknown path and 405 with Allow for a wrong method', async () => {
    expectNative(await customer.api.get('/nothing/here'), 404, 'NOT_FOUND');
    const hot = await customer.api.get('/responses');
    expectNative(hot, 405, 'METHOD_NOT_ALLOWED');
    expect(hot.headers.allow).toBe('POST');
    const ordinary = await customer.api.delete('/tiers');
    expectNative(ordinary, 405, 'METHOD_NOT_ALLOWED');
    expect(String(ordinary.headers.allow).split(', ')).toContain('GET');
  });

  it('returns 413 for a body beyond 32 MiB, with and without a declared length', async () => {
    const body = Buffer.from(JSON.stringify(responsesBody('x'.repeat(33 * 1024 * 1024))));
    for (const path of ['/responses', '/customers'])
      expectNative(await project.api.send('POST', path, body), 413, 'PAYLOAD_TOO_LARGE');
    expect(await sendChunked(`${system.baseUrl}/responses`, body)).toBe(413);
  });

  function sendChunked(url: string, body: Buffer): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json' };
      const req = httpRequest(url, { method: 'POST', headers }, (res) => resolve(res.resume().statusCode));
      req.on('error', reject);
      const half = body.length / 2;
      req.write(body.subarray(0, half));
      req.end(body.subarray(half));
    });
  }
});

describe('X-Service-Request-Id', () => {
  it('returns an acceptable id of the client on answers, errors and streams', async () => {
    const id = 'my-request/0001';
    const headers = { 'x-service-request-id': id };
    const plain = await customer.api.post('/responses', responsesBody(), headers);
    const ordinary = await customer.api.get('/customers/me', headers);
    const refused = await system.anonymous.post('/responses', responsesBody(), headers);
    const unknown = await system.anonymous.get('/nothing', headers);
    expect([plain, ordinary, refused, unknown].map(({ requestId }) => requestId)).toEqual([id, id, id, id]);
    expect([refused.body.request_id, unknown.body.request_id]).toEqual([id, id]);
    const stream = await customer.api.ndjson('/responses', responsesBody(), headers);
    expect(stream.headers['x-service-request-id']).toBe(id);
    expect((await stream.all())[0]).toMatchObject({ type: 'start', request_id: id });
  });

  it.each(['x'.repeat(129), 'two words', 'naïve'])('replaces %s with its own id', async (id) => {
    const answer = await customer.api.get('/customers/me', { 'x-service-request-id': id });
    expect(answer.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['a"b\\c', 'a,b', '{}', '}","', 'NULL'])('charges a request whose id is %s like any other', async (id) => {
    const before = must(await customer.api.get('/customers/me/usage'), 200).usage.requests;
    const headers = { 'x-service-request-id': id };
    expect((await customer.api.post('/responses', responsesBody(), headers)).requestId).toBe(id);
    expect(must(await customer.api.get('/customers/me/usage'), 200).usage.requests).toBe(before + 1);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  });

  it('charges each request that repeats an id', async () => {
    const headers = { 'x-service-request-id': 'the-same-again' };
    const before = must(await customer.api.get('/customers/me/usage'), 200).usage.requests;
    for (let i = 0; i < 3; i++) must(await customer.api.post('/responses', responsesBody(), headers), 200);
    expect(must(await customer.api.get('/customers/me/usage'), 200).usage.requests).toBe(before + 3);
  });
});

describe('rate limits', () => {
  it("returns 429 as plain text beyond a customer's rate, before anything is charged", async () => {
    const limited = await project.customerOn('free', { tier: { rate_limit_per_minute: 2 } });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => limited.api.post('/responses', responsesBody())),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(2);
    expect(served[0]?.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': expect.any(String) });
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, answer.text]).toEqual([429, 'rate limit exceeded']);
      expect(String(answer.headers['content-type'])).toMatch(/^text\/plain/);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    const [row] = await system.query<{ holds: number }>(
      'SELECT count(*)::int AS holds FROM billing_ledger.holds WHERE customer_id = $1',
      [limited.id],
    );
    expect(row?.holds).toBe(2);
    const compatible = await limited.api.at('/v1').post('/chat/completions', chatBody());
    expect([compatible.status, compatible.body.error.type]).toEqual([429, 'rate_limit_error']);
    expect(Number(compatible.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('limits a publishable key by its own rate, forbidden requests included', async () => {
    const { publishable } = await system.project();
    // Sent at once: the key may send one request every three seconds.
    const ask = async (send: () => Promise<{ status: number }>) =>
      (await Promise.all(Array.from({ length: 40 }, send))).map(({ status }) => status);
    const served = await ask(() => publishable.get('/tiers'));
    expect(served.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(served).toContain(429);
    const forbidden = await ask(() => publishable.post('/responses', responsesBody()));
    expect(new Set(forbidden)).toContain(429);
    expect(forbidden.filter((status) => status === 403).length).toBeLessThan(20);
  });
});
