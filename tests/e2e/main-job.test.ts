// The main job, in both modes: a customer's request is answered, metered, charged and reported by webhook.
import { describe, expect, it } from '@jest/globals';
import { createEmbeddedTransport, decodeEvent, eventTypes, type ReceivedEvent } from '@tollgate/events';
import { silentLogger } from '@tollgate/runtime';
import {
  type ApiResponse,
  parseDelivery,
  responsesBody,
  runBody,
  startWebhookReceiver,
  waitUntil,
  webhookBody,
} from '@tollgate/testkit';
import { MODES, must, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const NDJSON = 'application/x-ndjson; profile="responses-stream/v2"';

describe.each(MODES)('in %s', (mode) => {
  const system = useSystem({ mode });
  const project = useProject(system);

  it('answers a customer and charges exactly what was used', async () => {
    const customer = await project.customerOn('free');
    const before = must(await customer.api.get('/customers/me/usage'), 200).usage;
    const answer = must(await customer.api.post('/responses', responsesBody('Tell me about tollgates')), 200);
    expect(answer).toMatchObject({
      provider: 'sandbox',
      stop_reason: expect.any(String),
      usage: { total_tokens: expect.any(Number) },
    });
    expect(answer.output[0].content[0].text.length).toBeGreaterThan(0);
    const after = must(await customer.api.get('/customers/me/usage'), 200).usage;
    const { input_tokens, output_tokens } = answer.usage;
    expect(after.total_cost_microcents - before.total_cost_microcents).toBe(input_tokens * 100 + output_tokens * 300);
    expect(after.requests - before.requests).toBe(1);
    expect(after.spend_remaining_microcents).toBe(after.spend_limit_cents * 1_000_000 - after.total_cost_microcents);
  });

  it.each(['sandbox/echo-1', UPSTREAM_MODEL])(
    'streams %s as NDJSON and as SSE, metered as a plain answer',
    async (model) => {
      const customer = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
      const body = responsesBody('Tell me about tollgates', { model });
      const plain = must(await customer.api.post('/responses', body), 200);
      const lines = await customer.api.ndjson('/responses', body, { accept: NDJSON }).then((s) => s.all());
      const events = (await customer.api.sse('/responses', body).then((s) => s.all())).map((e) => e.data);
      for (const stream of [lines, events]) {
        expect(stream[0]).toMatchObject({
          type: 'start',
          stream_mode: 'text-delta',
          stream_version: 'v2',
          request_id: expect.any(String),
        });
        const last = stream.at(-1);
        expect(last).toMatchObject({ type: 'completion', usage: plain.usage, stop_reason: plain.stop_reason });
        expect(
          stream
            .filter((e) => e.type === 'update')
            .map((e) => e.delta)
            .join(''),
        ).toBe(plain.output[0].content[0].text);
      }
      const usage = must(await customer.api.get('/customers/me/usage'), 200).usage;
      expect(usage.tokens).toBe(3 * plain.usage.total_tokens);
      const balance = must(await customer.api.get('/customers/me/balance'), 200);
      expect(balance).toMatchObject({
        balance_microcents: 100_000_000 - usage.total_cost_microcents,
        reserved_microcents: 0,
      });
    },
  );

  it('serves no more than a wallet covers: 200 concurrent requests with funds for 37', async () => {
    const body = responsesBody('hello', { model: UPSTREAM_MODEL, max_output_tokens: 20 });
    const held = await heldBy(body);
    const customer = await project.customerOn('paygo', { walletMicrocents: 37n * held });
    // Holds stay open until all are decided.
    const resume = system.provider.pause();
    const refused: ApiResponse[] = [];
    const asked = Array.from({ length: 200 }, async () => {
      const answer = await customer.api.post('/responses', body);
      if (answer.status !== 200) refused.push(answer);
      return answer.status;
    });
    await waitUntil(() => refused.length === 163, { what: '163 refusals' }).finally(resume);
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 200)).toHaveLength(37);
    expect(new Set(refused.map((a) => `${a.status} ${a.body?.code}`))).toEqual(new Set(['402 WALLET_EMPTY']));

    async function heldBy(request: object): Promise<bigint> {
      const other = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
      must(await other.api.post('/responses', request), 200);
      const rows = await system.query<{ held: string }>(
        'SELECT amounts[1]::text AS held FROM billing_ledger.holds WHERE customer_id = $1',
        [other.id],
      );
      return BigInt(rows[0]?.held ?? 0);
    }
  });

  it("refuses the customer by their own limits, and hides the owner's", async () => {
    const poor = await project.customerOn('free', { spendLimitCents: 0 });
    const refused = await poor.api.post('/responses', responsesBody());
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([
      402,
      'TIER_ALLOWANCE_EXHAUSTED',
      false,
    ]);
    const broke = await system.project({ fundsCents: 0 });
    const customer = await broke.customerOn('free');
    const hidden = await customer.api.post('/responses', responsesBody());
    expect([hidden.status, hidden.body.code, hidden.body.retryable, hidden.headers['retry-after']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      true,
      '30',
    ]);
    expect(hidden.text).not.toContain('UNFUNDED');
    const shown = await broke.api.post('/responses', responsesBody());
    expect([shown.status, shown.body.code]).toEqual([402, 'PROVIDER_ACCOUNT_UNFUNDED']);
  });

  it('emits one event per settled request, with the sums of the ledger to the microcent', async () => {
    const mine = await system.project();
    const customer = await mine.customerOn('free');
    const requests = Array.from({ length: 12 }, (_, i) =>
      responsesBody(`question ${i}`, { model: i % 2 ? UPSTREAM_MODEL : 'sandbox/echo-1' }),
    );
    for (const answer of await Promise.all(requests.map((body) => customer.api.post('/responses', body))))
      must(answer, 200);
    const seen = new Map<string, ReceivedEvent>();
    const transport = createEmbeddedTransport({ url: system.databaseUrl, logger: silentLogger });
    await transport.start();
    await transport.subscribe({
      group: `reconciler-${mine.id}`,
      topics: ['tollgate.usage.v1'],
      handler: async (event) => {
        if (decodeEvent(eventTypes.usageRecorded, event).projectId === mine.id) seen.set(event.id, event);
      },
    });
    await waitUntil(() => seen.size >= 12, { what: '12 usage events' });
    await transport.stop();
    expect(seen.size).toBe(12);
    const events = [...seen.values()].map((event) => decodeEvent(eventTypes.usageRecorded, event));
    const announced = events.reduce((sum, e) => sum + e.customerMicrocents, 0n);
    const usage = must(await customer.api.get('/customers/me/usage'), 200).usage;
    expect(announced).toBe(BigInt(usage.total_cost_microcents));
    const account = must(await mine.owner.get('/account/usage?group_by=model'), 200);
    const provider = events.reduce((sum, e) => sum + e.providerMicrocents, 0n);
    expect(provider).toBe(
      BigInt(
        account.usage.reduce((sum: number, row: { provider_microcents: number }) => sum + row.provider_microcents, 0),
      ),
    );
    expect(await mine.verify()).toMatchObject({
      differences: [],
      open_holds: 0,
      overrun_microcents: 0,
      unreconciled_microcents: 0,
    });
  });

  it("sends a signed request.completed to the owner's webhook", async () => {
    const receiver = await startWebhookReceiver();
    try {
      const { webhook } = must(
        await project.owner.post(`/projects/${project.id}/webhooks`, webhookBody(receiver.url)),
        201,
      );
      expect(webhook.signing_secret).toMatch(/^whsec_/);
      const customer = await project.customerOn('free');
      must(await customer.api.post('/responses', responsesBody()), 200);
      const delivery = await receiver.waitFor((d) => d.rawBody.includes(customer.id));
      expect(delivery.headers['x-service-event-type']).toBe('request.completed');
      expect(delivery.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(parseDelivery(delivery)).toMatchObject({
        event_type: 'request.completed',
        project_id: project.id,
        data: { success: true, streaming: false, execution_origin: 'provider', customer_id: customer.id },
      });
    } finally {
      await receiver.stop();
    }
  });

  it('runs a workflow whose model steps are admitted and settled', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
    const started = must(await customer.api.post('/runs', runBody('Say something')), 200);
    const events = await customer.api
      .ndjson(`/runs/${started.run_id}/events`, undefined, { accept: 'application/x-ndjson' })
      .then((s) => s.all());
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'run_completed' });
    const snapshot = must(await customer.api.get(`/runs/${started.run_id}`), 200);
    expect(snapshot).toMatchObject({ status: 'succeeded', plan_hash: started.plan_hash });
    const usage = must(await customer.api.get('/customers/me/usage'), 200).usage;
    expect(usage.requests).toBe(1);
    expect(Math.round(snapshot.cost_summary.total_usd_cents * 1_000_000)).toBe(usage.total_cost_microcents);
  });

  it('keeps agents with revisions', async () => {
    const path = `/projects/${project.id}/agents`;
    const created = must(
      await project.api.post(path, { name: 'Helper', slug: 'helper', system: 'Help.', model: 'sandbox/echo-1' }),
      201,
    );
    expect(created.agent.version.revision).toBe(1);
    const changed = must(await project.api.patch(`${path}/helper`, { system: 'Help more.' }), 200);
    expect(changed.agent.agent.current_revision).toBe(2);
    expect(must(await project.api.get(`${path}/helper?revision=1`), 200).agent.version.system).toBe('Help.');
  });

  it('carries messages', async () => {
    const to = `agent:helper@${project.id}`;
    const sent = must(await project.api.post('/messages', { to, subject: 'Hello', body: { n: 1 } }), 201);
    const list = must(await project.api.get(`/messages?to=${encodeURIComponent(to)}`), 200);
    expect(list.messages).toMatchObject([{ id: sent.id, thread_id: sent.id, read: false }]);
    expect((await project.api.post(`/messages/${sent.id}/read`)).status).toBe(204);
    expect(must(await project.api.get(`/messages?to=${encodeURIComponent(to)}`), 200).messages).toEqual([]);
  });
});
