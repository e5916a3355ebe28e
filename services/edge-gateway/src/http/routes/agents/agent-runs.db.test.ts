import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import {
  AgentRunMode,
  AgentRunService,
  type AwaitAgentRunResponseSchema,
} from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { agentRouter } from './index.js';

const runId = randomUUID();
const customerId = randomUUID();
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const parsed = (bytes: Uint8Array) => (bytes.length > 0 ? JSON.parse(Buffer.from(bytes).toString()) : undefined);
const output = [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'hi' }] }];
const usage = {
  steps: 2,
  llmCalls: 3,
  toolCalls: 1,
  inputTokens: 5n,
  outputTokens: 7n,
  costMicrocents: 1_500_000n,
};
const usageJson = {
  total_steps: 2,
  total_llm_calls: 3,
  total_tool_calls: 1,
  total_input_tokens: 5,
  total_output_tokens: 7,
  total_cost_cents: 2,
  total_cost_microcents: 1_500_000,
};
const mocks = { served: { f: 1 }, unconsumed: {}, unmocked: {} };
const step = { nodeId: 'agent', step: 0, attempt: 1, holdId: 'r', status: 'settled' };

type Result = MessageInitShape<typeof AwaitAgentRunResponseSchema>;
const succeeded: Result = { runId, status: 'succeeded', outputJson: json(output), usage };

let asked: { method: string; req: Record<string, unknown>; customerId: string; tierCode: string }[] = [];
/** The engine's answers in order; the last one repeats. */
let results: (Result | AppError)[] = [];
let refusal: AppError | undefined;
let harness: RouteTest;

function note(method: string, req: object, call: Call): void {
  const { $typeName: _, ...fields } = req as { $typeName: string };
  const principal = call.requirePrincipal();
  asked.push({ method, req: fields, customerId: principal.customerId, tierCode: principal.tierCode });
}

const engine = peer(AgentRunService, {
  startAgentRun(req, call) {
    note('start', req, call);
    if (refusal) throw refusal;
    return { runId, status: 'running', planHash: 'h' };
  },
  awaitAgentRun(req, call) {
    note('await', req, call);
    const result = results.length > 1 ? results.shift()! : results[0]!;
    if (result instanceof AppError) throw result;
    return result;
  },
});
const workflow = peer(WorkflowService, {
  listRunSteps(req, call) {
    note('steps', req, call);
    return { steps: [step], hasMore: req.offset === 0 };
  },
  async *streamRunEvents(req, call) {
    note('events', req, call);
    yield { events: [{ seq: 1, type: 'run_started', data: json({ seq: 1 }) }] };
    yield { events: [{ seq: 2, type: 'run_completed', data: json({ seq: 2 }) }] };
  },
});
const billing = peer(BillingService, {
  getCustomer: ({ by }) => {
    if (by.case === 'externalId' && by.value !== 'ext-1') throw new AppError('NOT_FOUND', 'customer not found');
    if (by.case === 'id' && by.value !== customerId) throw new AppError('NOT_FOUND', 'customer not found');
    return { envelope: { customer: { id: customerId, externalId: 'ext-1' }, subscription: { tierCode: 'pro' } } };
  },
});

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [agentRouter], [engine, workflow, billing]);
});
afterAll(() => harness.stop());
beforeEach(() => {
  asked = [];
  results = [succeeded];
  refusal = undefined;
});

const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];

function send(verb: string, body: object, credential = harness.tenant.secretKey, headers: Record<string, string> = {}) {
  const url = `/api/v1/projects/${harness.tenant.projectId}/agents/helper/${verb}`;
  const sending = request(harness.app).post(url).set(headers);
  if (credential !== '') void sending.set('Authorization', `Bearer ${credential}`);
  return sending.send(body);
}

const asks = () => asked.map(({ method }) => method);

describe('200', () => {
  it('returns the result of the run', async () => {
    const res = await send('run', { input });
    expect([res.status, res.body]).toEqual([
      200,
      { run_id: runId, status: 'succeeded', output, usage: usageJson, steps: [] },
    ]);
    expect(asks()).toEqual(['start', 'await']);
  });

  it.each([
    ['run', AgentRunMode.RUN, {}],
    ['test', AgentRunMode.TEST, { mock_tools: { f: [1] } }],
    ['replay', AgentRunMode.REPLAY, { mock_tools: { f: [1] }, run_id: runId.toUpperCase() }],
  ])('passes on all fields of the body of %s', async (verb, mode, more) => {
    const options = {
      model: 'm',
      max_steps: 1,
      max_duration_sec: 2,
      step_timeout_sec: 3,
      tool_failure_policy: 'retry',
      tool_retry_count: 4,
      dry_run: true,
    };
    results = [{ ...succeeded, mocksJson: json(mocks) }];
    const res = await send(verb, { input, options, ...more });
    expect(res.status).toBe(200);
    const { inputJson, mockToolsJson, ...req } = asked[0]!.req;
    expect(parsed(inputJson as Uint8Array)).toEqual(input);
    expect(parsed(mockToolsJson as Uint8Array)).toEqual('mock_tools' in more ? { f: [1] } : undefined);
    expect(req).toMatchObject({
      slug: 'helper',
      mode,
      replayRunId: 'run_id' in more ? runId : '',
      idempotencyKey: '',
      options: {
        model: 'm',
        maxSteps: 1,
        maxDurationSec: 2,
        stepTimeoutSec: 3,
        toolFailurePolicy: 'retry',
        toolRetryCount: 4,
        dryRun: true,
      },
    });
    expect(res.body.mocks).toEqual(mocks);
  });

  it("returns a failed run's output and error", async () => {
    const error = { code: 'AGENT_LIMIT_REACHED', message: 'no' };
    results = [{ ...succeeded, status: 'failed', error }];
    const res = await send('run', { input });
    expect([res.status, res.body]).toEqual([200, expect.objectContaining({ status: 'failed', error, output })]);
  });

  it('returns all pages of steps on request', async () => {
    const res = await send('run', { input, options: { capture_tool_io: true } });
    expect(res.body.steps).toHaveLength(2);
    expect(res.body.steps[0]).toMatchObject({ node_id: 'agent', step: 0, tool_calls: [], tool_results: [] });
    expect(asks()).toEqual(['start', 'await', 'steps', 'steps']);
  });

  it.each([
    ['application/x-ndjson', 'application/x-ndjson', '{"seq":1}\n{"seq":2}\n'],
    ['text/event-stream', 'text/event-stream', 'id: 1\ndata: {"seq":1}\n\nid: 2\ndata: {"seq":2}\n\n'],
    ['*/*', 'application/x-ndjson', '{"seq":1}\n{"seq":2}\n'],
  ])('streams the run’s events for %s', async (accept, type, text) => {
    const res = await send('run', { input, options: { stream: true } }, undefined, { Accept: accept }).buffer(true);
    expect([res.status, res.headers['content-type']?.split(';')[0]]).toEqual([200, type]);
    expect(res.text ?? Buffer.from(res.body).toString()).toBe(text);
    expect(asked[1]).toMatchObject({ method: 'events', req: { runId, afterSeq: 0, wait: true, limit: 0 } });
  });

  it('waits while the engine is replaced, or reports that the run continues', async () => {
    results = [{ ...succeeded, status: 'running' }, new AppError('SERVICE_UNAVAILABLE', 'away'), succeeded];
    expect((await send('run', { input })).status).toBe(200);
    expect(asks()).toEqual(['start', 'await', 'await', 'await']);
  });

  it('passes the key to the run and returns the same response to a repeat', async () => {
    const once = () => send('run', { input }, undefined, { 'Idempotency-Key': 'k1' });
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect(asked[0]?.req.idempotencyKey).toBe('agents/helper/1/k1');
    expect(asks()).toEqual(['start', 'await']);
  });
});

describe('the customer who pays', () => {
  it.each<[string, object, () => string | undefined, () => Record<string, string>, () => string, string]>([
    ['no customer when none is named', {}, () => undefined, () => ({}), () => '', ''],
    [
      'the customer named by external id',
      { customer_id: 'ext-1' },
      () => undefined,
      () => ({}),
      () => customerId,
      'pro',
    ],
    [
      'the customer named in the header',
      {},
      () => undefined,
      () => ({ 'X-Service-Customer-Id': customerId }),
      () => customerId,
      'pro',
    ],
    [
      'the customer named by external id and in the header',
      { customer_id: 'ext-1' },
      () => undefined,
      () => ({ 'X-Service-Customer-Id': customerId }),
      () => customerId,
      'pro',
    ],
    [
      'the customer whose token is sent',
      {},
      () => harness.tenant.customerToken,
      () => ({}),
      () => harness.tenant.customerId,
      'free',
    ],
  ])('attributes the run to %s', async (_name, more, credential, headers, id, tier) => {
    const res = await send('run', { input, ...more }, credential(), headers());
    expect(res.status).toBe(200);
    expect(asked.map((call) => [call.customerId, call.tierCode])).toEqual(Array(2).fill([id(), tier]));
  });

  it.each<[string, string, () => string | undefined, number, string]>([
    ['that is unknown', 'ext-2', () => undefined, 404, 'NOT_FOUND'],
    ['sent with a customer token', 'ext-1', () => harness.tenant.customerToken, 403, 'FORBIDDEN'],
    ['that is empty', '', () => undefined, 400, 'VALIDATION_ERROR'],
  ])('rejects a customer_id %s before any call', async (_name, customer_id, credential, status, code) => {
    const res = await send('run', { input, customer_id }, credential());
    expect([res.status, res.body.code]).toEqual([status, code]);
    expect(asked).toEqual([]);
  });
});

describe('400', () => {
  it.each<[string, object, string]>([
    ['run', {}, 'input'],
    ['run', { input: [] }, 'input'],
    ['run', { input: 'hello' }, 'input'],
    ['run', { input: [{ type: 'message', role: 'user' }] }, 'input[0].content'],
    ['run', { input, options: [] }, 'options'],
    ['run', { input, options: { max_steps: 0 } }, 'options.max_steps'],
    ['run', { input, options: { max_duration_sec: 86_401 } }, 'options.max_duration_sec'],
    ['run', { input, options: { step_timeout_sec: 1.5 } }, 'options.step_timeout_sec'],
    ['run', { input, options: { tool_failure_policy: 'pray' } }, 'options.tool_failure_policy'],
    ['run', { input, options: { tool_retry_count: 11 } }, 'options.tool_retry_count'],
    ['run', { input, options: { stream: 'yes' } }, 'options.stream'],
    ['test', { input, mock_tools: [] }, 'mock_tools'],
    ['test', {}, 'input'],
    ['replay', {}, 'input'],
    ['replay', { run_id: 'x' }, 'run_id'],
  ])('rejects %s %j naming %s before any call', async (verb, body, field) => {
    const res = await send(verb, body);
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields.map((fault: { field: string }) => fault.field)).toContain(field);
    expect(asked).toEqual([]);
  });

  it('names the tool of a dry run', async () => {
    results = [
      { ...succeeded, status: 'failed', refused: true, error: { code: 'TOOL_NOT_MOCKED', message: 'no mock: f' } },
    ];
    const res = await send('test', { input, options: { dry_run: true } });
    expect([res.status, res.body.code, res.body.message]).toEqual([400, 'TOOL_NOT_MOCKED', 'no mock: f']);
  });
});

const verbs = ['run', 'test', 'replay'];

describe('402 and 503', () => {
  it.each<[string, () => string | undefined, number]>([
    ['WALLET_EMPTY', () => undefined, 402],
    ['API_KEY_SPEND_LIMIT_REACHED', () => undefined, 402],
    ['WALLET_EMPTY', () => harness.tenant.customerToken, 402],
    ['SERVICE_UNAVAILABLE', () => harness.tenant.customerToken, 503],
  ])('reports %s before any output', async (code, credential, status) => {
    results = [{ runId, status: 'failed', refused: true, error: { code, message: 'no' } }];
    const res = await send('run', { input }, credential());
    expect([res.status, res.body.code]).toEqual([status, code]);
  });
});

describe('404', () => {
  it.each(verbs)('rejects %s in the project of another account', async (verb) => {
    const res = await send(verb, { input }, harness.stranger.secretKey);
    expect([res.status, res.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(asked).toEqual([]);
  });

  it("reports an unknown agent, or another agent's run", async () => {
    refusal = new AppError('NOT_FOUND', 'agent not found');
    const res = await send('run', { input });
    expect([res.status, res.body.code, res.body.message]).toEqual([404, 'NOT_FOUND', 'agent not found']);
  });
});

describe('409', () => {
  it('reports a run that continues, or a key of another request', async () => {
    refusal = new AppError('CONFLICT', 'the run has not ended yet');
    const res = await send('replay', { run_id: runId });
    expect([res.status, res.body.code]).toEqual([409, 'CONFLICT']);
  });
});
