// OTLP exports: one tree of spans for a request and for a run, and nothing while tracing is off.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Delivery,
  type Json,
  responsesBody,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
} from '@tollgate/testkit';
import { type OtlpSink, type ReceivedSpan, type SpanTree, spanTrees, startOtlpSink } from '../system/otlp-sink.js';
import { MODES, must, type System, startSystem, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';

const WAIT_MS = 30_000;
const BILLING = 'tollgate.billing.v1.BillingService';
const GENERATE = 'tollgate.inference.v1.InferenceService/Generate';
const CREATE_RUN = 'tollgate.workflow.v1.WorkflowService/CreateRun';

/** The number of heartbeats depends on the duration of a turn. */
const isHeartbeat = ({ name }: ReceivedSpan) => name === `${BILLING}/RecordProgress`;

const request = () => responsesBody('Hello', { model: UPSTREAM_MODEL });

let traces = 0;
/** A caller's context: its trace and the parent of the system's first span. */
function newContext() {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'a');
  return { traceId, traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
}

describe.each(MODES)('traces, %s', (mode) => {
  let sink: OtlpSink;
  let system: System;
  let project: TestProject;
  let receiver: WebhookReceiver;
  const exporter = () => ({ OTEL_ENABLED: '1', OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_BSP_SCHEDULE_DELAY: '50' });

  beforeAll(async () => {
    sink = await startOtlpSink();
    // The exporter reads the environment of its process, which is this one when all services run in it.
    Object.assign(process.env, exporter());
    system = await startSystem({ mode, env: exporter() });
    project = await system.project();
    receiver = await startWebhookReceiver();
    const webhook = { endpoint_url: receiver.url, events: ['request.completed'] };
    must(await project.owner.post(`/projects/${project.id}/webhooks`, webhook), 201);
  }, 120_000);
  afterAll(async () => {
    for (const name of Object.keys(exporter())) delete process.env[name];
    await receiver?.stop();
    await system?.stop();
    await sink?.stop();
  }, 60_000);

  /** A call between two services: one span in one process, one on each side otherwise. */
  const rpc = (name: string, ...below: SpanTree[]): SpanTree =>
    mode === 'one process' ? [name, ...below] : [name, [name, ...below]];
  const turn = (): SpanTree[] => [
    rpc(`${BILLING}/Admit`),
    rpc(GENERATE, ['chat upstream-1'], rpc(`${BILLING}/Settle`, ['webhook attempt'])),
  ];

  /** Waits until the spans of the trace are those of the tree, and returns them. */
  async function expectTree(traceId: string, expected: SpanTree): Promise<ReceivedSpan[]> {
    const spans = () => sink.spans.filter((span) => span.traceId === traceId && !isHeartbeat(span));
    const count = JSON.stringify(expected).split('"').length >> 1;
    await waitUntil(() => spans().length >= count, { what: 'the spans of the trace', timeoutMs: WAIT_MS }).catch(
      () => undefined,
    );
    expect(spanTrees(spans())).toEqual([expected]);
    return spans();
  }

  const delivered = (traceId: string): Promise<Delivery> =>
    receiver.waitFor(({ headers }) => String(headers.traceparent).includes(traceId), WAIT_MS);

  it.each([
    ['plain', 'application/json'],
    ['streamed', 'application/x-ndjson'],
  ])('makes one tree of a %s model request and its webhook', async (_kind, accept) => {
    const { traceId, traceparent } = newContext();
    const headers = { traceparent, accept };
    const answer = await project.api.post('/responses', request(), headers);
    expect(answer.status).toBe(200);
    const spans = await expectTree(traceId, ['POST /api/v1/responses', ...turn()]);
    const server = spans.find(({ name }) => name === 'POST /api/v1/responses');
    expect(server).toMatchObject({
      parentId: 'b'.repeat(16),
      kind: 'server',
      hasFailed: false,
      fields: { 'http.request.method': 'POST', 'http.route': '/api/v1/responses', 'http.response.status_code': 200 },
    });
    expect(spans.find(({ name }) => name === 'chat upstream-1')).toMatchObject({
      kind: 'client',
      fields: { 'gen_ai.request.model': 'upstream-1', 'gen_ai.usage.output_tokens': expect.any(Number) },
    });
    const attempt = spans.find(({ name }) => name === 'webhook attempt');
    expect((await delivered(traceId)).headers.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`);
    if (mode === 'separate processes') {
      const services = new Set(spans.map(({ service }) => service));
      expect(services).toEqual(new Set(['edge-gateway', 'billing-ledger', 'gateway-inference', 'hooks-webhooks']));
    }
  });

  it('stores the context with the events of a request', async () => {
    const { traceId, traceparent } = newContext();
    must(await project.api.post('/responses', request(), { traceparent }), 200);
    await delivered(traceId);
    const rows = await system.query<{ type: string }>(
      'SELECT type FROM tollgate_events.log WHERE traceparent LIKE $1 ORDER BY type',
      [`00-${traceId}-%-01`],
    );
    expect(rows.map(({ type }) => type)).toEqual(
      mode === 'one process' ? ['usage.recorded'] : ['request.completed', 'usage.recorded'],
    );
  });

  it('sends providers no context', async () => {
    const { traceparent } = newContext();
    must(await project.api.post('/responses', request(), { traceparent }), 200);
    const sent = system.provider.requests.map(({ headers }) => headers);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((headers) => 'traceparent' in headers)).toEqual([]);
  });

  it('makes one tree of a run, whose steps are below the request that started it', async () => {
    const { traceId, traceparent } = newContext();
    const spec = {
      kind: 'workflow.v0',
      nodes: [{ id: 'ask', type: 'llm.responses', input: request() }],
      outputs: [{ name: 'answer', from: 'ask' }],
    };
    must(await project.api.post('/runs', { spec }, { traceparent }), 200);
    const step: SpanTree = ['run step', ...turn()];
    const spans = await expectTree(traceId, ['POST /api/v1/runs', rpc(CREATE_RUN, step)]);
    expect(spans.find(({ name }) => name === 'run step')?.fields).toMatchObject({ 'tollgate.node_id': 'ask' });
  });

  it('names a failed request by its route and has no span for the streams between services', async () => {
    const { traceId, traceparent } = newContext();
    const { status } = await project.api.get('/customers/00000000-0000-4000-8000-000000000000', { traceparent });
    expect(status).toBe(404);
    const spans = await expectTree(traceId, ['GET /api/v1/customers/:id', rpc(`${BILLING}/GetCustomer`)]);
    expect(spans.find(({ name }) => name === 'GET /api/v1/customers/:id')?.hasFailed).toBe(false);
    expect(sink.spans.filter(({ name }) => name.includes('LaneService'))).toEqual([]);
  });

  it('records nothing of a request whose caller is not recorded, and passes its trace on', async () => {
    const { traceId, traceparent } = newContext();
    const left = `${traceparent.slice(0, -2)}00`;
    must(await project.api.post('/responses', request(), { traceparent: left }), 200);
    expect((await delivered(traceId)).headers.traceparent).toBe(left);
    expect(sink.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

describe.each(MODES)('without OTEL_ENABLED, %s', (mode) => {
  it('sends no spans and stores no context', async () => {
    const sink = await startOtlpSink();
    const system = await startSystem({ mode, env: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url } });
    const receiver = await startWebhookReceiver();
    try {
      const project = await system.project();
      const webhook = { endpoint_url: receiver.url, events: ['request.completed'] };
      must(await project.owner.post(`/projects/${project.id}/webhooks`, webhook), 201);
      const { traceparent } = newContext();
      must(await project.api.post('/responses', request(), { traceparent }), 200);
      const spec = {
        kind: 'workflow.v0',
        nodes: [{ id: 'ask', type: 'llm.responses', input: request() }],
        outputs: [{ name: 'answer', from: 'ask' }],
      };
      must(await project.api.post('/runs', { spec }, { traceparent }), 200);
      const deliveries = await receiver.waitForCount(2, WAIT_MS);
      expect(deliveries.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
      for (const table of ['tollgate_events.log', 'workflow_engine.runs', 'hooks_webhooks.webhook_events']) {
        const [row] = await system.query<Json>(
          `SELECT count(*)::int AS n, count(traceparent)::int AS traced FROM ${table}`,
        );
        expect({ table, ...row }).toEqual({ table, n: expect.any(Number), traced: 0 });
      }
    } finally {
      await receiver.stop();
      await system.stop();
      await sink.stop();
    }
    expect(sink.spans).toEqual([]);
  }, 120_000);
});
