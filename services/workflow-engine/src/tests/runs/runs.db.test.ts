import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { RunChangedSchema } from '@tollgate/contracts/events/v1/runs_pb.js';
import type { ListRunsRequestSchema } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { createEmbeddedTransport } from '@tollgate/events';
import { silentLogger } from '@tollgate/runtime';
import { checkLog } from '../../testing/check-log.js';
import { CUSTOMER, callAs, PROJECT, secretKey } from '../../testing/engine-fixture.js';
import { INPUT_PRICE, OUTPUT_PRICE } from '../../testing/fake-billing.js';
import { countTokens } from '../../testing/fake-inference.js';
import { awaitEnd, createRun, gate, getSnapshot, parseJson, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

const diamond = {
  kind: 'workflow.v0',
  name: 'diamond',
  nodes: [
    say('first', 'hello there'),
    say('left', 'left of {{said}}', { bindings: [{ from: 'first', pointer: TEXT, to_placeholder: 'said' }] }),
    say('right', '-', { bindings: [{ from: 'first', pointer: TEXT, to: '/input/0/content/0/text' }] }),
    { id: 'both', type: 'join.all' },
    {
      id: 'shape',
      type: 'transform.json',
      input: {
        object: { l: { from: 'both', pointer: `/left${TEXT}` }, r: { from: 'both', pointer: `/right${TEXT}` } },
      },
    },
  ],
  edges: [
    { from: 'left', to: 'both' },
    { from: 'right', to: 'both' },
  ],
  outputs: [
    { name: 'all', from: 'shape' },
    { name: 'l', from: 'shape', pointer: '/l' },
  ],
};
const protoKeys = {
  kind: 'workflow.v0',
  nodes: [
    say('a', 'hello'),
    {
      id: 'o',
      type: 'transform.json',
      input: { object: JSON.parse(`{"__proto__":{"from":"a","pointer":"${TEXT}"}}`) },
    },
    { id: 'm', type: 'transform.json', input: { merge: [{ from: 'o' }] } },
  ],
  outputs: [{ name: 'kept', from: 'm' }],
};
const one = { kind: 'workflow.v0', nodes: [say('a', 'hello')], outputs: [{ name: 'o', from: 'a', pointer: TEXT }] };

describe('a run', () => {
  it('runs a graph of model calls, joins and transforms, and logs every step', async () => {
    const runId = await createRun(engine.client, diamond);
    const run = await awaitEnd(engine.client, runId);
    expect(run.status).toBe('succeeded');
    expect(parseJson(run.outputsJson)).toEqual({
      all: { l: 'left of hello there', r: 'hello there' },
      l: 'left of hello there',
    });
    const events = await checkLog(engine.client, runId);
    expect(events.filter((event) => event.node_id === 'left').map((event) => event.type)).toEqual([
      'node_started',
      'node_output_delta',
      'node_llm_call',
      'node_output',
      'node_succeeded',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_completed', plan_hash: run.planHash });
  });

  it('keeps `__proto__` keys of transforms', async () => {
    const run = await awaitEnd(engine.client, await createRun(engine.client, protoKeys));
    expect(run.status).toBe('succeeded');
    expect(Buffer.from(run.outputsJson).toString()).toBe('{"kept":{"__proto__":"hello"}}');
  });

  it('costs the admitted price times the usage, per node and in total, and leaves no hold open', async () => {
    const runId = await createRun(engine.client, diamond);
    const { costSummary } = await awaitEnd(engine.client, runId);
    const texts = [
      ['hello there', 'hello there'],
      ['left of hello there', 'left of hello there'],
      ['hello there', 'hello there'],
    ] as const;
    const costs = texts.map(
      ([input, output]) => BigInt(countTokens(input)) * INPUT_PRICE + BigInt(countTokens(output)) * OUTPUT_PRICE,
    );
    expect(costSummary?.lineItems.map((line) => line.nodeId)).toEqual(['first', 'left', 'right']);
    expect(costSummary?.lineItems.map((line) => line.microcents)).toEqual(costs);
    expect(costSummary?.totalMicrocents).toBe(costs.reduce((sum, cost) => sum + cost));
    expect(peers.billing.customerMicrocents()).toBe(costSummary?.totalMicrocents);
    expect(peers.billing.open.size).toBe(0);
    expect(costSummary?.ambiguousAttempts).toEqual([]);
  });

  it('requests each hold under the id of its call, as the principal that started the run', async () => {
    const runId = await createRun(engine.client, diamond, secretKey(PROJECT, CUSTOMER));
    await awaitEnd(engine.client, runId);
    expect(peers.billing.admitted.map(({ req }) => req.holdId)).toEqual(
      peers.inference.calls.map((call) => call.holdId),
    );
    expect(new Set(peers.billing.admitted.map(({ customerId }) => customerId))).toEqual(new Set([CUSTOMER]));
    expect((await getSnapshot(engine.client, runId)).customerId).toBe(CUSTOMER);
  });

  it('runs at most max_parallelism nodes at once', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const nodes = ['a', 'b', 'c', 'd'].map((id) => say(id, id));
    const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes, execution: { max_parallelism: 2 } });
    await until(() => peers.inference.calls.length === 2);
    open();
    await awaitEnd(engine.client, runId);
    const events = await checkLog(engine.client, runId);
    let running = 0;
    for (const { type } of events) {
      if (type === 'node_started') running++;
      if (type === 'node_succeeded') running--;
      expect(running).toBeLessThanOrEqual(2);
    }
  });

  it('uses the model of the run instead of the node’s', async () => {
    const runId = await createRun(engine.client, one, undefined, { modelOverride: 'fake/other' });
    await awaitEnd(engine.client, runId);
    expect(peers.inference.calls[0]?.request.modelId).toBe('fake/other');
  });

  it('emits no deltas when the node does not stream', async () => {
    const runId = await createRun(engine.client, {
      kind: 'workflow.v0',
      nodes: [say('a', 'hello', { stream: false })],
    });
    const run = await awaitEnd(engine.client, runId);
    expect(parseJson(run.nodes[0]!.outputJson)).toMatchObject({ provider: 'fake', output: [{ role: 'assistant' }] });
    const events = await checkLog(engine.client, runId);
    expect(events.map((event) => event.type)).not.toContain('node_output_delta');
  });

  it('emits its start and its end on tollgate.runs.v1', async () => {
    const transport = createEmbeddedTransport({ url: database.url, logger: silentLogger });
    await transport.start();
    const heard: { type: string; status: string; key: string }[] = [];
    await transport.subscribe({
      group: database.schema,
      topics: ['tollgate.runs.v1'],
      handler: async ({ type, key, payload }) => {
        heard.push({ type, key, status: fromBinary(RunChangedSchema, payload).status });
      },
    });
    const runId = await createRun(engine.client, one);
    const ofRun = () => heard.filter((event) => event.key === runId).map(({ type, status }) => `${type} ${status}`);
    await until(() => ofRun().length === 2);
    expect(ofRun()).toEqual(['run.started running', 'run.succeeded succeeded']);
    await transport.stop();
  });

  it('leaves nothing on the queue', async () => {
    const runId = await createRun(engine.client, diamond);
    await awaitEnd(engine.client, runId);
    const { rows } = await database.pool.query('SELECT * FROM run_work WHERE run_id = $1', [runId]);
    expect(rows).toEqual([]);
  });
});

describe('list', () => {
  it('returns runs newest first, by status and page', async () => {
    const project = '77777777-7777-4777-8777-777777777777';
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push(await createRun(engine.client, one, secretKey(project)));
    for (const id of ids)
      await until(async () => (await getSnapshot(engine.client, id, secretKey(project))).status === 'succeeded');
    const list = (req: MessageInitShape<typeof ListRunsRequestSchema>) =>
      engine.client.listRuns(req, callAs(secretKey(project)));
    const first = await list({ limit: 2, offset: 0 });
    expect(first.runs.map((run) => run.runId)).toEqual([ids[2], ids[1]]);
    expect(first.hasMore).toBe(true);
    expect((await list({ limit: 2, offset: 2 })).runs.map((run) => run.runId)).toEqual([ids[0]]);
    expect((await list({ status: 'failed', limit: 2, offset: 0 })).runs).toEqual([]);
    const middle = first.runs[0]?.createdAt;
    const from = await list({ limit: 9, offset: 0, startedFrom: middle });
    const before = await list({ limit: 9, offset: 0, startedBefore: middle });
    expect(from.runs.map((run) => run.runId)).toContain(ids[2]);
    expect(before.runs.map((run) => run.runId)).toContain(ids[0]);
    expect([...from.runs, ...before.runs]).toHaveLength(3);
    await expect(list({ status: 'nope', limit: 2, offset: 0 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
