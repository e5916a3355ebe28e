// Providers that fail and clients that disconnect: what the client receives, and what is
// charged.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ApiResponse, type ApiStream, chatBody, type Json, responsesBody, waitUntil } from '@tollgate/testkit';
import { nativeErrorFaults } from '../system/native-error.js';
import { must, SANDBOX_MODEL, type TestCustomer, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

/** Price of the harness's tiers per token of the fake provider's model. */
const PRICE = { input: 200, output: 600 };
/** Tokens that may be in transit when a call is cut. */
const IN_FLIGHT_TOKENS_MAX = 5;

describe('a system in separate processes', () => {
  const system = useSystem({
    mode: 'separate processes',
    env: {
      PROVIDER_RESPONSE_TIMEOUT: '2s',
      PROVIDER_IDLE_TIMEOUT: '1s',
      // No server listens there.
      XAI_BASE_URL: 'http://127.0.0.1:9/v1',
    },
  });
  const project = useProject(system);

  const readUsage = async (customer: TestCustomer) => must(await customer.api.get('/customers/me/usage'), 200).usage;

  describe.each([UPSTREAM_MODEL, SANDBOX_MODEL])('a failure of the provider of %s', (model) => {
    it.each([
      ['fail with 429', 500, 'PROVIDER_ERROR', 429, true, '429'],
      ['fail with 500', 500, 'PROVIDER_ERROR', 500, true, '500'],
      ['fail with timeout', 503, 'PROVIDER_TIMEOUT', 504, true, '504'],
      ['fail with 402', 402, 'UPSTREAM_PAYMENT_REQUIRED', 402, false, '402'],
    ])(
      'answers "%s" with %i %s and the upstream status in body and header, and charges nothing',
      async (text, ...expected) => {
        const [wire, code, statusCode, retryable, header] = expected;
        const customer = await project.customerOn('free');
        const asProject = { 'x-service-customer-id': customer.id };
        const answer = await project.api.post('/responses', responsesBody(text, { model }), asProject);
        expect([answer.status, answer.body.code, answer.body.status_code, answer.body.retryable]).toEqual([
          wire,
          code,
          statusCode,
          retryable,
        ]);
        expect(answer.headers['x-service-upstream-status']).toBe(header);
        expect(nativeErrorFaults(answer)).toEqual([]);
        expect(await readUsage(customer)).toMatchObject({ total_cost_microcents: 0, requests: 0 });
      },
    );

    it('shows its payment reasons only to the owner', async () => {
      const customer = await project.customerOn('free');
      const answer = await customer.api.post('/responses', responsesBody('fail with 402', { model }));
      expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
      expect(answer.text).not.toMatch(/payment|fund|402/i);
      expect(answer.headers['x-service-upstream-status']).toBeUndefined();
    });

    it.each(['ndjson', 'sse'] as const)(
      'ends a cut stream with an error event and no completion (%s)',
      async (format) => {
        const customer = await project.customerOn('free');
        const body = responsesBody('fail with cut', { model });
        const stream: ApiStream<Json> = await customer.api[format]('/responses', body);
        const events = (await stream.all()).map((event) => (format === 'sse' ? event.data : event));
        expect(events.at(-1)).toMatchObject({
          type: 'error',
          code: 'PROVIDER_ERROR',
          retryable: true,
          status: expect.any(Number),
          request_id: stream.headers['x-service-request-id'],
        });
        expect(events.some(({ type }) => type === 'completion')).toBe(false);
        const delivered = events.filter(({ type }) => type === 'update').length;
        expect(delivered).toBeGreaterThanOrEqual(3);
        expect((await readUsage(customer)).total_cost_microcents).toBeGreaterThan(0);
      },
    );
  });

  it.each([
    ['fail with 400', '400', false],
    ['fail with 401', '401', false],
    ['fail with 502', '502', true],
    ['fail with 504', '504', true],
  ])('answers "%s" with 500 or 503, never 502 or 504', async (text, header, retryable) => {
    const answer = await project.api.post('/responses', responsesBody(text, { model: UPSTREAM_MODEL }));
    expect(nativeErrorFaults(answer)).toEqual([]);
    expect([500, 503]).toContain(answer.status);
    expect([answer.headers['x-service-upstream-status'], answer.body.retryable]).toEqual([header, retryable]);
  });

  it('reports "fail with malformed" as an invalid response of the provider', async () => {
    const answer = await project.api.post(
      '/responses',
      responsesBody('fail with malformed', { model: UPSTREAM_MODEL }),
    );
    expect([answer.status, answer.body.code, answer.body.cause]).toEqual([500, 'PROVIDER_ERROR', 'invalid_response']);
    expect(nativeErrorFaults(answer)).toEqual([]);
  });

  it('returns 500 of cause transport for an unreachable provider', async () => {
    const answer = await project.api.post('/responses', responsesBody('hi', { model: 'test/nobody-1' }));
    expect([answer.status, answer.body.code, answer.body.cause]).toEqual([500, 'PROVIDER_ERROR', 'transport']);
    expect(nativeErrorFaults(answer)).toEqual([]);
  });

  it('tries the next route before the first byte, and reports every failure if it fails too', async () => {
    const ask = (text: string): Promise<ApiResponse> =>
      project.api.post('/responses', responsesBody(text, { model: 'test/fallback-1' }));
    expect(must(await ask('hi'), 200)).toMatchObject({ provider: 'openai' });
    const failed = await ask('fail with 500');
    expect(failed.body.failures).toMatchObject([{ cause: 'transport' }, { status_code: 500 }]);
    expect(nativeErrorFaults(failed)).toEqual([]);
  });

  it('charges a stream cut by the provider for exactly what it delivered', async () => {
    const customer = await project.customerOn('free');
    const stream = await customer.api.ndjson('/responses', upstream('cut after 7 tokens, say 20 tokens'));
    await stream.all();
    const [call] = system.provider.journal.findEntries(readId(stream));
    expect(call).toMatchObject({ outcome: 'cut', outputTokens: 7 });
    expect(await readUsage(customer)).toMatchObject({
      total_cost_microcents: (call?.inputTokens ?? 0) * PRICE.input + 7 * PRICE.output,
      requests: 1,
    });
  });

  it('ends a silent stream with a timeout error', async () => {
    const events = await project.api.ndjson('/responses', upstream('hang mid-stream')).then((stream) => stream.all());
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'PROVIDER_TIMEOUT', status: 504, retryable: true });
  });

  it.each(['ndjson', 'sse', 'chat'] as const)(
    'ends the upstream call when a client leaves a stream (%s), and charges what was delivered',
    async (how) => {
      const customer = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
      const text = 'say 400 tokens, slow 15 ms';
      const stream: ApiStream<Json> =
        how === 'chat'
          ? await customer.api
              .at('/v1')
              .sse('/chat/completions', chatBody(text, { model: UPSTREAM_MODEL, stream: true, max_tokens: 500 }))
          : await customer.api[how]('/responses', upstream(text));
      let received = 0;
      for await (const event of stream) {
        if (hasText(how === 'ndjson' ? event : event.data)) received += 1;
        if (received === 6) break; // leaving the loop cuts the connection
      }
      const call = await waitUntil(
        () => system.provider.journal.findEntries(readId(stream)).find(({ outcome }) => outcome !== 'open'),
        { what: 'the call to end at the provider' },
      );
      expect(call.outcome).toBe('client_gone');
      const usage = await waitUntil(
        async () => {
          const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
          return usage.requests === 1 && usage;
        },
        { what: 'the settlement' },
      );
      const charged = usage.tokens - call.inputTokens;
      expect(charged).toBeGreaterThanOrEqual(received);
      expect(charged).toBeLessThanOrEqual(call.outputTokens);
      expect(call.outputTokens - charged).toBeLessThanOrEqual(IN_FLIGHT_TOKENS_MAX);
      const cost = call.inputTokens * PRICE.input + charged * PRICE.output;
      expect(usage.total_cost_microcents).toBe(cost);
      expect(must(await customer.api.get('/customers/me/balance'), 200)).toMatchObject({
        balance_microcents: 100_000_000 - cost,
        reserved_microcents: 0,
      });
    },
  );

  it('ends the upstream call when a client leaves before a plain answer, charges nothing and records the doubt', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
    const leaving = new AbortController();
    const id = randomUUID();
    const answer = fetch(`${system.baseUrl}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(upstream(`wait 30000 ms, ${id}`)),
      signal: leaving.signal,
    }).catch((error: Error) => error.name);
    const asked = () => system.provider.requests.findLast(({ body }) => JSON.stringify(body).includes(id));
    const upstreamCall = await waitUntil(asked, { what: 'the call at the provider' });
    leaving.abort();
    expect(await answer).toBe('AbortError');
    const holdId = String(upstreamCall.headers['x-client-request-id']);
    await waitUntil(() => system.provider.journal.findEntries(holdId)[0]?.outcome === 'client_gone', {
      what: 'the call to end at the provider, before its time is up',
    });
    const balance = await waitUntil(
      async () => {
        const read = must(await customer.api.get('/customers/me/balance'), 200);
        return read.reserved_microcents === 0 && read;
      },
      { what: 'the hold to be released' },
    );
    expect(balance.balance_microcents).toBe(100_000_000);
    // It is unknown whether the provider has answered: the amount is recorded as unreconciled.
    const [hold] = await system.query<{ owner: string; doubt: string }>(
      `SELECT owner_microcents AS owner, unreconciled_microcents AS doubt FROM billing_ledger.holds WHERE request_id = $1`,
      [holdId],
    );
    expect([Number(hold?.owner), Number(hold?.doubt) > 0]).toEqual([0, true]);
  });

  function upstream(text: string): object {
    return responsesBody(text, { model: UPSTREAM_MODEL, max_output_tokens: 500 });
  }
});

function readId(stream: ApiStream<Json>): string {
  return String(stream.headers['x-service-request-id']);
}

/** Matches a text event of either dialect. */
function hasText(event: Json): boolean {
  return event?.type === 'update' || Boolean(event?.choices?.[0]?.delta?.content);
}
