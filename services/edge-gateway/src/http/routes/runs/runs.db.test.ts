import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import {
  type ListRunsRequest,
  type RunSnapshotSchema,
  WorkflowService,
} from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import { type Endpoint, type Method, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { runRouter } from './index.js';

const runId = randomUUID();
const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const planHash = 'ab'.repeat(32);
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const snapshot: MessageInitShape<typeof RunSnapshotSchema> = {
  runId,
  status: 'succeeded',
  planHash,
  createdAt: at,
  endedAt: at,
  costSummary: {
    totalMicrocents: 1_500_001n,
    lineItems: [
      {
        nodeId: 'a',
        model: 'm',
        provider: 'p',
        microcents: 1_500_001n,
        requests: 1,
        inputTokens: 2n,
        outputTokens: 3n,
      },
    ],
    ambiguousAttempts: [{ nodeId: 'a', model: 'm', holdId: 'lost', heldMicrocents: 7n }],
  },
  nodes: [
    { id: 'a', type: 'llm.responses', status: 'succeeded', startedAt: at, endedAt: at, outputJson: json({ x: 1 }) },
    {
      id: 'b',
      type: 'join.all',
      status: 'failed',
      after: ['a'],
      error: { code: 'POINTER_NOT_FOUND', message: 'no' },
    },
  ],
  outputsJson: json({ o: [1] }),
};
const events = ['run_compiled', 'run_started', 'run_completed'].map((type, index) => {
  return { seq: index + 1, type, data: json({ seq: index + 1, type }) };
});

const answer = {
  id: 'resp',
  model: 'm',
  provider: 'p',
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  output: [
    { role: 'assistant', tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }] },
  ],
};
const step = {
  nodeId: 'a',
  step: 0,
  attempt: 2,
  holdId: 'r',
  status: 'settled',
  model: 'm',
  provider: 'p',
  llmRequestJson: json({ input: [] }),
  llmResponseJson: json(answer),
  toolResults: [{ toolCallId: 't', name: 'f', output: '1' }],
  startedAt: at,
  endedAt: at,
};
const unsent = {
  nodeId: 'a',
  step: 1,
  attempt: 1,
  holdId: 's',
  status: 'failed',
  errorCode: 'WALLET_EMPTY',
  startedAt: at,
};

/** Behind all events of the run. */
const AT_THE_END = 999;

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
const engine = recordedPeer(WorkflowService, {
  createRun: { runId, status: 'running', planHash },
  lintWorkflow: { issues: [] },
  getRun: { run: snapshot },
  cancelRun: { run: { ...snapshot, status: 'canceled', outputsJson: new Uint8Array(0) } },
  listRuns: { runs: [{ runId, status: 'running', planHash, createdAt: at }], hasMore: true },
  async *streamRunEvents({ afterSeq }) {
    if (afterSeq === AT_THE_END) return;
    yield { events: events.slice(0, 1) };
    yield { events: events.slice(1) };
  },
  listPendingTools: {
    runId,
    pending: [{ nodeId: 'a', step: 0, holdId: 'r', toolCalls: [{ toolCallId: 't', name: 'f', arguments: '{}' }] }],
  },
  submitToolResults: { accepted: 1, status: 'running' },
  listRunSteps: { steps: [step, { ...unsent }], hasMore: true },
  listRunTasks: { tasksJson: json([{ content: 'x', status: 'pending' }]) },
});

const { harness, send } = useRoutes(import.meta.url, [runRouter], [engine], {
  path: () => '',
  credential: 'secretKey',
});

const spec = { kind: 'workflow.v0', nodes: [{ id: 'a', type: 'join.all' }] };
const toolResults = {
  node_id: 'a',
  step: 0,
  request_id: 'r',
  results: [{ tool_call_id: 't', name: 'f', output: '1' }],
};

const endpoints: Endpoint[] = [
  ['post', '/runs', { spec }],
  ['get', '/runs', undefined],
  ['get', `/runs/${runId}`, undefined],
  ['get', `/runs/${runId}/events`, undefined],
  ['post', `/runs/${runId}/cancel`, {}],
  ['get', `/runs/${runId}/pending-tools`, undefined],
  ['post', `/runs/${runId}/tool-results`, toolResults],
  ['get', `/runs/${runId}/steps`, undefined],
  ['get', `/runs/${runId}/tasks`, undefined],
];

describe('200', () => {
  it('passes on the bytes of spec and input as they were sent', async () => {
    const [specText, inputText] = ['{ "kind":"workflow.v0", "nodes":[ 1.0,1 ] }', '{"q" : 1e2, "__proto__":{"x":1}}'];
    const body = `{ "spec" :${specText},"input":${inputText}}`;
    const res = await send('post', '/runs').set('Content-Type', 'application/json').send(body);
    expect(res.status).toBe(200);
    const { specJson, inputJson } = asked[0]!.req;
    expect(Buffer.from(specJson as Uint8Array).toString()).toBe(specText);
    expect(Buffer.from(inputJson as Uint8Array).toString()).toBe(inputText);
  });

  it('starts a run from a spec, for a project and for a customer', async () => {
    const body = { spec, input: { q: 1 }, session_id: runId.toUpperCase(), model_override: 'sandbox/echo-1' };
    const res = await send('post', '/runs', body);
    expect([res.status, res.body]).toEqual([200, { run_id: runId, status: 'running', plan_hash: planHash }]);
    const { specJson, inputJson, ...rest } = asked[0]!.req;
    expect(JSON.parse(Buffer.from(specJson as Uint8Array).toString())).toEqual(spec);
    expect(JSON.parse(Buffer.from(inputJson as Uint8Array).toString())).toEqual({ q: 1 });
    expect(rest).toEqual({ planHash: '', sessionId: runId, modelOverride: 'sandbox/echo-1', idempotencyKey: '' });
    await send('post', '/runs', { plan_hash: planHash }, harness.tenant.customerToken);
    expect(asked[1]).toMatchObject({ req: { planHash }, customerId: harness.tenant.customerId });
  });

  it('accepts the idempotency key from the header and the options', async () => {
    await send('post', '/runs', { spec }).set('Idempotency-Key', 'k');
    await send('post', '/runs', { spec, options: { idempotency_key: 'k' } });
    await send('post', '/runs', { spec, options: { idempotency_key: 'k' } }).set('Idempotency-Key', 'k');
    expect(asked.map(({ req }) => req.idempotencyKey)).toEqual(['k', 'k', 'k']);
  });

  it('shows a run with exact decimal costs, outputs and node results', async () => {
    const res = await send('get', `/runs/${runId.toUpperCase()}`);
    expect(asked[0]?.req).toEqual({ runId });
    const time = '2030-01-01T00:00:00.000Z';
    expect(res.body).toEqual({
      run_id: runId,
      status: 'succeeded',
      plan_hash: planHash,
      created_at: time,
      ended_at: time,
      cost_summary: {
        total_usd_cents: 1.500001,
        line_items: [
          {
            node_id: 'a',
            model: 'm',
            provider: 'p',
            usd_cents: 1.500001,
            requests: 1,
            input_tokens: 2,
            output_tokens: 3,
          },
          {
            node_id: 'a',
            model: 'm',
            usd_cents: 0,
            kind: 'ambiguous_attempt',
            request_id: 'lost',
            held_usd_cents: 0.000007,
          },
        ],
      },
      nodes: [
        { id: 'a', type: 'llm.responses', status: 'succeeded', started_at: time, ended_at: time, output: { x: 1 } },
        {
          id: 'b',
          type: 'join.all',
          depends_on: ['a'],
          status: 'failed',
          error: { code: 'POINTER_NOT_FOUND', message: 'no' },
        },
      ],
      outputs: { o: [1] },
    });
  });

  it('lists runs page by page', async () => {
    const res = await send('get', '/runs?status=running&limit=1&offset=2');
    expect(res.body).toMatchObject({ runs: [{ run_id: runId, status: 'running' }], next_cursor: '3' });
    expect(asked[0]?.req).toEqual({ status: 'running', customerId: '', agent: '', limit: 1, offset: 2 });
  });

  it('filters runs by agent and start', async () => {
    const res = await send('get', '/runs?agent=helper&from=2026-11-23&to=2026-11-24T01:00:00Z');
    expect(res.status).toBe(200);
    const { agent, startedFrom, startedBefore } = asked[0]!.req as ListRunsRequest;
    const moments = [startedFrom, startedBefore].map((each) => each && timestampDate(each).toISOString());
    expect([agent, ...moments]).toEqual(['helper', '2026-11-23T00:00:00.000Z', '2026-11-24T01:00:00.000Z']);
  });

  it.each(['from=2026-11-24&to=2026-11-24', 'from=soon', 'agent='])('refuses %s', async (query) => {
    expect((await send('get', `/runs?${query}`)).status).toBe(400);
  });

  it('cancels a run and returns its snapshot', async () => {
    const res = await send('post', `/runs/${runId}/cancel`);
    expect([res.status, res.body.status, res.body.outputs]).toEqual([200, 'canceled', {}]);
  });

  it('streams events as lines by default', async () => {
    const res = await send('get', `/runs/${runId}/events`);
    expect(res.headers['content-type']).toBe('application/x-ndjson');
    expect(res.text).toBe(events.map((event) => `${event.data.toString()}\n`).join(''));
    expect(asked[0]?.req).toEqual({ runId, afterSeq: 0, wait: true, limit: 0 });
  });

  it('streams events as SSE with the position as id', async () => {
    const res = await send('get', `/runs/${runId}/events`).set('Accept', 'text/event-stream');
    expect(res.headers['content-type']).toContain('text/event-stream');
    expect(res.text).toBe(events.map(({ seq, data }) => `id: ${seq}\ndata: ${data.toString()}\n\n`).join(''));
  });

  it.each([
    ['?after_seq=5&wait=false&limit=10', undefined, { afterSeq: 5, wait: false, limit: 10 }],
    ['?after_seq=5', '9', { afterSeq: 9, wait: true, limit: 0 }],
    ['?after_seq=5', '2', { afterSeq: 5, wait: true, limit: 0 }],
    ['', 'nonsense', { afterSeq: 0, wait: true, limit: 0 }],
  ])('continues after the position of %j and Last-Event-ID %j', async (query, lastEventId, expected) => {
    const sending = send('get', `/runs/${runId}/events${query}`);
    if (lastEventId !== undefined) void sending.set('Last-Event-ID', lastEventId);
    await sending;
    expect(asked[0]?.req).toEqual({ runId, ...expected });
  });

  it.each([
    ['text/event-stream', '', 204],
    ['text/event-stream', '?wait=false', 200],
    ['application/x-ndjson', '', 200],
  ])('stops an EventSource that has read all of a run that has ended: %s%s', async (accept, query, status) => {
    const headers = { Accept: accept, 'Last-Event-ID': String(AT_THE_END) };
    const res = await send('get', `/runs/${runId}/events${query}`).set(headers);
    expect([res.status, res.text ?? '']).toEqual([status, '']);
  });

  it('shows pending tool calls and takes their results', async () => {
    const pending = await send('get', `/runs/${runId}/pending-tools`);
    expect(pending.body).toEqual({
      run_id: runId,
      pending: [
        { node_id: 'a', step: 0, request_id: 'r', tool_calls: [{ tool_call_id: 't', name: 'f', arguments: '{}' }] },
      ],
    });
    const deep = await send('post', `/runs/${runId}/tool-results`, { ...toolResults, node_id: 'a.'.repeat(500) });
    expect(deep.status).toBe(200);
    const res = await send('post', `/runs/${runId}/tool-results`, toolResults);
    expect(res.body).toEqual({ accepted: 1, status: 'running' });
    expect(asked[2]?.req).toMatchObject({
      runId,
      nodeId: 'a',
      step: 0,
      holdId: 'r',
      results: [{ toolCallId: 't', output: '1' }],
    });
  });
});

describe('200, steps and tasks', () => {
  it('shows the request and the result of each model call', async () => {
    const res = await send('get', `/runs/${runId}/steps?limit=2&offset=3`);
    const time = '2030-01-01T00:00:00.000Z';
    expect(asked[0]?.req).toEqual({ runId, limit: 2, offset: 3 });
    const { id: response_id, model, provider, stop_reason, usage } = answer;
    expect(res.body).toEqual({
      steps: [
        {
          node_id: 'a',
          step: 0,
          attempt: 2,
          request_id: 'r',
          status: 'settled',
          model: 'm',
          provider: 'p',
          llm_request: { input: [] },
          llm_response: answer,
          llm_call: { step: 0, request_id: 'r', provider, model, response_id, stop_reason, usage },
          tool_calls: [{ tool_call_id: 't', name: 'f', arguments: '{}' }],
          tool_results: [{ tool_call_id: 't', name: 'f', output: '1' }],
          started_at: time,
          ended_at: time,
        },
        {
          node_id: 'a',
          step: 1,
          attempt: 1,
          request_id: 's',
          status: 'failed',
          tool_calls: [],
          tool_results: [],
          error: { code: 'WALLET_EMPTY' },
          started_at: time,
        },
      ],
      next_cursor: '5',
    });
  });

  it('shows the task list', async () => {
    const res = await send('get', `/runs/${runId}/tasks`);
    expect(res.body).toEqual({ tasks: [{ content: 'x', status: 'pending' }] });
  });
});

describe('400', () => {
  it.each<[Method, string, object | undefined, string]>([
    ['post', '/runs', {}, 'spec'],
    ['post', '/runs', { spec, plan_hash: planHash }, 'spec'],
    ['post', '/runs', { plan_hash: 'short' }, 'plan_hash'],
    ['post', '/runs', { spec, input: [] }, 'input'],
    ['post', '/runs', { spec, session_id: 'x' }, 'session_id'],
    ['post', '/runs', { spec, model_override: 'no/such' }, 'model_override'],
    ['post', '/runs', { spec, options: { idempotency_key: '' } }, 'options.idempotency_key'],
    ['get', '/runs?limit=0', undefined, 'limit'],
    ['get', '/runs?limit=201', undefined, 'limit'],
    ['get', '/runs?status=done', undefined, 'status'],
    ['get', `/runs/${runId}/steps?limit=501`, undefined, 'limit'],
    ['get', `/runs/${runId}/events?after_seq=-1`, undefined, 'after_seq'],
    ['get', `/runs/${runId}/events?limit=0`, undefined, 'limit'],
    ['get', `/runs/${runId}/events?limit=10001`, undefined, 'limit'],
    ['get', `/runs/${runId}/events?wait=maybe`, undefined, 'wait'],
    ['post', `/runs/${runId}/tool-results`, { ...toolResults, results: [] }, 'results'],
    ['post', `/runs/${runId}/tool-results`, { ...toolResults, node_id: undefined }, 'node_id'],
    ['post', `/runs/${runId}/tool-results`, { ...toolResults, node_id: '\0' }, 'node_id'],
    ['post', `/runs/${runId}/tool-results`, { ...toolResults, request_id: '\0' }, 'request_id'],
  ])('rejects %s %s naming the invalid field', async (method, path, body, field) => {
    const res = await send(method, path, body);
    expect(res.status).toBe(400);
    expect(res.body.fields.map((fault: { field: string }) => fault.field)).toEqual([field]);
    expect(asked).toEqual([]);
  });

  it('refuses a spec that names an unknown model, and starts nothing', async () => {
    const bad = { kind: 'workflow.v1', nodes: [{ id: 'a', type: 'llm.responses', input: { model: 'no/such' } }] };
    const res = await send('post', '/runs', { spec: bad });
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.issues).toContainEqual({
      code: 'UNKNOWN_MODEL',
      path: '/nodes/0/input/model',
      message: 'unknown model no/such',
    });
    expect(asked).toHaveLength(1);
  });

  it('passes on all issues of a spec', async () => {
    const issues = [{ code: 'CYCLE', path: '/nodes', message: 'a, b' }];
    refuseWith(new AppError('VALIDATION_ERROR', 'the workflow spec is not valid', { issues }));
    const res = await send('post', '/runs', { spec });
    expect([res.status, res.body.error, res.body.issues]).toEqual([400, 'api_error', issues]);
  });

  it('rejects two different idempotency keys', async () => {
    const res = await send('post', '/runs', { spec, options: { idempotency_key: 'a' } }).set('Idempotency-Key', 'b');
    expect([res.status, res.body.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('403', () => {
  it.each(endpoints)('accepts only secret keys and customer tokens on %s %s', async (method, path, body) => {
    expect((await send(method, path, body, harness.tenant.publishableKey)).status).toBe(403);
    expect((await send(method, path, body, harness.tenant.ownerToken)).status).toBe(403);
    expect(asked).toEqual([]);
    expect((await send(method, path, body, harness.tenant.customerToken)).status).toBe(200);
  });
});

describe.each([
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
] as const)('%i', (status, code) => {
  it.each(endpoints.slice(2))(
    'answers %s %s with a plain error when the engine refuses, streams included',
    async (method, path, body) => {
      refuseWith(new AppError(code, 'no'));
      const refused = await send(method, path, body);
      expect([refused.status, refused.body.code]).toEqual([status, code]);
    },
  );
});
