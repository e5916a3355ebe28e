import { describe, expect, it } from '@jest/globals';
import {
  BASE_URL,
  brokenConnection,
  fakeGateway,
  fakeTiming,
  json,
  makeCaller,
  streamed,
} from '../testing/fake-gateway.js';
import { TollgateError } from './error.js';

const post = { method: 'POST', path: '/api/v1/things', body: { a: 1 } } as const;
const keyed = { ...post, keyIn: 'header' } as const;
const refusal = (status: number, retryable: boolean, headers = {}) =>
  json({ error: 'api_error', code: 'X', message: 'm', retryable }, status, headers);

describe('call', () => {
  it('sends JSON with the credential and the options, and returns the answer', async () => {
    const gateway = fakeGateway(json({ ok: true }));
    const caller = makeCaller(gateway, { credential: 'sk', headers: { 'x-a': '1' } });
    const request = { ...keyed, query: { limit: 2, q: 'a b', none: undefined } };
    const options = { customerId: 'c', cache: true, idempotencyKey: 'k', headers: { 'x-b': '2' } };
    expect(await caller.call(request, options)).toEqual({ ok: true });
    const [sent] = gateway.requests;
    expect(sent?.url.href).toBe(`${BASE_URL}/api/v1/things?limit=2&q=a+b`);
    expect(sent?.body).toBe('{"a":1}');
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      ...{ accept: 'application/json', authorization: 'Bearer sk', 'content-type': 'application/json' },
      ...{ 'idempotency-key': 'k', 'x-a': '1', 'x-b': '2', 'x-service-cache': '1', 'x-service-customer-id': 'c' },
    });
  });

  it('makes one idempotency key per call and keeps it over retries', async () => {
    const gateway = fakeGateway(refusal(503, true), brokenConnection(), json({}), json({}));
    const caller = makeCaller(gateway);
    await caller.call(keyed);
    await caller.call(keyed);
    const [first, ...others] = gateway.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(others.slice(0, 2)).toEqual([first, first]);
    expect(others[2]).not.toBe(first);
  });

  it('puts the key of a run into its options', async () => {
    const gateway = fakeGateway(refusal(503, true), json({}), json({}));
    const run = { ...post, body: { spec: {}, options: { x: 1 } }, keyIn: 'options' } as const;
    await makeCaller(gateway).call(run);
    const bodies = gateway.requests.map(({ body }) => JSON.parse(body ?? ''));
    expect(bodies[0]).toEqual({
      spec: {},
      options: { x: 1, idempotency_key: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(bodies[1]).toEqual(bodies[0]);
    await makeCaller(gateway)
      .call({ ...run, body: { options: { idempotency_key: 'own' } } })
      .catch(() => undefined);
  });

  it.each<[string, object, Response | Error, number]>([
    ['repeats a GET after a broken connection', { method: 'GET' }, brokenConnection(), 2],
    ['repeats a POST with a key after a broken connection', { keyIn: 'header' }, brokenConnection(), 2],
    ['sends a POST without a key once when the connection breaks', {}, brokenConnection(), 1],
    ['sends a POST without a key once when the service fails', {}, refusal(503, true), 1],
    ['repeats any request after a 429', {}, refusal(429, true), 2],
    ['sends a request once when the refusal is final', { keyIn: 'header' }, refusal(402, false), 1],
    ['repeats a 409 that says so', { keyIn: 'header' }, refusal(409, true, { 'retry-after': '1' }), 2],
  ])('repeats only what is safe: %s', async (_title, change, first, count) => {
    const gateway = fakeGateway(first, json({}));
    await makeCaller(gateway)
      .call({ ...post, ...change })
      .catch(() => undefined);
    expect(gateway.requests).toHaveLength(count);
  });

  it('pauses longer after each failure, and stops after the last repeat', async () => {
    const timing = fakeTiming();
    const gateway = fakeGateway(() => refusal(503, true));
    const call = makeCaller(gateway, { timing, retriesMax: 5 }).call(keyed);
    await expect(call).rejects.toMatchObject({ status: 503 });
    expect(timing.pauses).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  it('waits as long as Retry-After asks, and not at all when that is too long', async () => {
    const timing = fakeTiming();
    const gateway = fakeGateway(
      refusal(429, true, { 'retry-after': '3' }),
      refusal(429, true, { 'retry-after': '61' }),
    );
    const call = makeCaller(gateway, { timing }).call(post);
    await expect(call).rejects.toMatchObject({ status: 429, retryAfterSeconds: 61 });
    expect(timing.pauses).toEqual([3000]);
  });

  it('replaces a refused token once, and sends the request again', async () => {
    const unauthorized = () => refusal(401, false);
    const gateway = fakeGateway(unauthorized(), json({ ok: true }));
    const rejected: (string | undefined)[] = [];
    const credential = {
      getToken: async (token?: string) => {
        rejected.push(token);
        return token === undefined ? 'old' : 'new';
      },
    };
    expect(await makeCaller(gateway, { credential }).call(post)).toEqual({ ok: true });
    expect(gateway.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
    expect(rejected).toEqual([undefined, 'old']);
    const refusing = fakeGateway(unauthorized(), unauthorized(), unauthorized());
    await expect(makeCaller(refusing, { credential }).call(post)).rejects.toMatchObject({ status: 401 });
    expect(refusing.requests).toHaveLength(2);
  });

  it('throws CONNECTION_ERROR with the reason', async () => {
    const call = makeCaller(fakeGateway(brokenConnection()), { retriesMax: 0 }).call(post);
    await expect(call).rejects.toMatchObject({
      ...{ code: 'CONNECTION_ERROR', status: 0, retryable: true },
      message: `the connection to ${BASE_URL} failed: ECONNRESET`,
    });
  });

  it('throws TIMEOUT when no answer arrives in time', async () => {
    const hanging = fakeGateway(
      ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    const call = makeCaller(hanging, { timeoutMs: 5, retriesMax: 0 }).call(post);
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT', retryable: true });
  });

  it('throws the reason of the signal that the caller aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const gateway = fakeGateway(({ signal }) => {
      controller.abort(reason);
      signal?.throwIfAborted();
      return json({});
    });
    await expect(makeCaller(gateway).call(keyed, { signal: controller.signal })).rejects.toBe(reason);
    expect(gateway.requests).toHaveLength(1);
  });

  it.each([
    ['nothing for 204', new Response(null, { status: 204 }), undefined],
    ['text', new Response('hello', { headers: { 'content-type': 'text/plain' } }), 'hello'],
  ])('returns %s', async (_what, answer, expected) => {
    expect(await makeCaller(fakeGateway(answer)).call(post)).toBe(expected);
  });

  it('returns a file as a Blob', async () => {
    const file = new Response('bytes', { headers: { 'content-type': 'audio/mpeg' } });
    const blob = await makeCaller(fakeGateway(file)).call<Blob>(post);
    expect(await blob.text()).toBe('bytes');
  });

  it.each([
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    new Response(null, { status: 301, headers: { location: 'https://other.test/' } }),
    new Response('{', { headers: { 'content-type': 'application/json' } }),
  ])('throws INVALID_ANSWER for what is not of the API', async (answer) => {
    await expect(makeCaller(fakeGateway(answer)).call(post)).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });
});

describe('stream', () => {
  async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    return events;
  }

  it('yields events, and sends no key that would have a left stream continued', async () => {
    const gateway = fakeGateway(streamed(['{"a":1}\n', '{"a":2}\n']));
    expect(await collect(makeCaller(gateway).stream({ ...keyed, accept: 'application/x-ndjson' }))).toEqual([
      { a: 1 },
      { a: 2 },
    ]);
    const [sent] = gateway.requests;
    expect(sent?.headers.get('accept')).toBe('application/x-ndjson');
    expect(sent?.headers.has('idempotency-key')).toBe(false);
  });

  it('sends the key that the caller gives', async () => {
    const gateway = fakeGateway(streamed([]));
    await collect(makeCaller(gateway).stream(keyed, { idempotencyKey: 'k' }));
    expect(gateway.requests[0]?.headers.get('idempotency-key')).toBe('k');
  });

  it('throws a refusal before the first event', async () => {
    const stream = makeCaller(fakeGateway(refusal(402, false))).stream(keyed);
    await expect(collect(stream)).rejects.toBeInstanceOf(TollgateError);
  });

  it('throws a retryable error when the connection breaks', async () => {
    const gateway = fakeGateway(streamed(['{"a":1}\n'], 'application/x-ndjson', new TypeError('terminated')));
    const stream = makeCaller(gateway).stream(keyed);
    expect(await stream.next()).toEqual({ done: false, value: { a: 1 } });
    await expect(stream.next()).rejects.toMatchObject({ code: 'CONNECTION_ERROR', retryable: true });
  });

  it('ends the request when the loop is left', async () => {
    const gateway = fakeGateway(streamed(['{"a":1}\n', '{"a":2}\n']));
    for await (const _ of makeCaller(gateway).stream(keyed)) break;
    expect(gateway.requests[0]?.signal?.aborted).toBe(true);
  });

  it('throws TIMEOUT for a stream that sends nothing', async () => {
    const gateway = fakeGateway(({ signal }) => {
      const body = new ReadableStream({
        start: (controller) => signal?.addEventListener('abort', () => controller.error(new Error('aborted'))),
      });
      return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
    });
    const stream = makeCaller(gateway, { idleTimeoutMs: 5 }).stream(keyed);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('pages', () => {
  interface Page {
    things: number[];
    next_cursor?: string;
  }
  const list = { method: 'GET', path: '/things', query: { limit: 2 } };
  const script = () => fakeGateway(json({ things: [1, 2], next_cursor: 'x' }), json({ things: [3] }));

  it('returns the first page when it is awaited, and asks once', async () => {
    const gateway = script();
    const pages = makeCaller(gateway).pages<Page, 'things'>(list, 'things', 'cursor');
    expect((await pages).things).toEqual([1, 2]);
    await pages;
    expect(gateway.requests).toHaveLength(1);
  });

  it('yields the items of all pages', async () => {
    const gateway = script();
    const pages = makeCaller(gateway).pages<Page, 'things'>(list, 'things', 'cursor');
    expect(await pages.toArray()).toEqual([1, 2, 3]);
    expect(gateway.requests.map(({ url }) => url.search)).toEqual(['?limit=2', '?limit=2&cursor=x']);
  });

  it.each([
    ['2', '?limit=2&offset=2'],
    ['eyJh', '?limit=2&cursor=eyJh'],
  ])('continues a list that takes offsets and cursors at %s', async (next, search) => {
    const gateway = fakeGateway(json({ things: [1], next_cursor: next }), json({ things: [] }));
    await makeCaller(gateway).pages<Page, 'things'>(list, 'things', 'cursor or offset').toArray();
    expect(gateway.requests[1]?.url.search).toBe(search);
  });

  it('asks for no page that is not needed', async () => {
    const gateway = script();
    const pages = makeCaller(gateway).pages<Page, 'things'>(list, 'things', 'offset');
    expect(await pages.toArray(2)).toEqual([1, 2]);
    expect(gateway.requests).toHaveLength(1);
  });

  it('stops at a page that names itself as the next one', async () => {
    const gateway = fakeGateway(() => json({ things: [1], next_cursor: 'x' }));
    const pages = makeCaller(gateway).pages<Page, 'things'>(list, 'things', 'cursor');
    expect(await pages.toArray()).toEqual([1, 1]);
  });

  it('throws the refusal of the list', async () => {
    const pages = makeCaller(fakeGateway(refusal(403, false))).pages<Page, 'things'>(list, 'things', 'cursor');
    await expect(pages).rejects.toMatchObject({ status: 403 });
  });
});
