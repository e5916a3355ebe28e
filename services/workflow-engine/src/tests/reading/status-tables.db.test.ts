import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { checkLog } from '../../testing/check-log.js';
import { callAs } from '../../testing/engine-fixture.js';
import type { FakeReply } from '../../testing/fake-inference.js';
import { createRun, getSnapshot, readEvents, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

// The contract's tables of run and node statuses, row by row: the effect of a trigger on a run, its events, and
// the answer to the caller.

const { peers, engine } = useEngine(import.meta.url, { work: { drainMs: 50 } });

const never = new Promise<void>(() => undefined);
const asks: FakeReply = { toolCalls: [{ id: 't', name: 'ask', arguments: '{}' }] };
const fails: FakeReply = { error: new AppError('PROVIDER_ERROR', 'no', { upstreamStatus: 400 }) };
const client = { tool_execution: { mode: 'client' } };

/** `a` behaves as the row says, and `b` reads its output. `c` is independent and never ends; not every row has it. */
const spec = (...more: object[]) => ({
  kind: 'workflow.v0',
  nodes: [
    say('a', 'a', client),
    say('b', '{{x}}', { bindings: [{ from: 'a', pointer: TEXT, to_placeholder: 'x' }] }),
    ...more,
  ],
  outputs: [{ name: 'o', from: 'b', pointer: TEXT }],
});

interface Row {
  what: string;
  reply: FakeReply;
  spec?: object;
  /** Called after the first node has acted as `reply` says. */
  act?: (runId: string) => Promise<unknown>;
  answer?: object;
  run: string;
  nodes: Record<string, string>;
  /** Ends the log so far. */
  events: string[];
  fields?: object;
}

async function answerTools(runId: string) {
  await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
  const { pending } = await engine.client.listPendingTools({ runId }, callAs());
  const { nodeId, step, holdId } = pending[0]!;
  const results = [{ toolCallId: 't', name: 'ask', output: '1' }];
  return engine.client.submitToolResults({ runId, nodeId, step, holdId, results }, callAs());
}

const cancel = (runId: string) => engine.client.cancelRun({ runId }, callAs());

const rows: Row[] = [
  {
    what: 'POST /runs, while a node runs and another waits for it',
    reply: { gate: never },
    run: 'running',
    nodes: { a: 'running', b: 'pending' },
    events: ['run_compiled', 'run_started', 'node_started'],
  },
  {
    what: 'a node needs results of the client',
    reply: asks,
    run: 'waiting',
    nodes: { a: 'waiting', b: 'pending' },
    events: ['node_tool_call', 'node_waiting'],
    fields: { waiting: { step: 0, pending_tool_calls: [{ tool_call_id: 't', name: 'ask', arguments: '{}' }] } },
  },
  {
    what: 'a node needs results of the client while another runs',
    reply: asks,
    spec: spec(say('c', 'c')),
    run: 'running',
    nodes: { a: 'waiting', b: 'pending', c: 'running' },
    events: ['node_waiting'],
  },
  {
    what: 'the results are accepted',
    reply: asks,
    act: answerTools,
    answer: { accepted: 1, status: 'running' },
    run: 'running',
    nodes: { a: 'running', b: 'pending' },
    events: ['node_waiting', 'node_tool_result'],
  },
  {
    what: 'all nodes complete',
    reply: { text: 'said' },
    run: 'succeeded',
    nodes: { a: 'succeeded', b: 'succeeded' },
    events: ['node_succeeded', 'run_completed'],
    fields: { outputs: { o: 'said' } },
  },
  {
    what: 'a node fails; nodes that have not started are canceled',
    reply: fails,
    run: 'failed',
    nodes: { a: 'failed', b: 'canceled' },
    events: ['node_failed', 'run_failed'],
    fields: { error: { code: 'PROVIDER_ERROR', message: 'no' } },
  },
  {
    what: 'the run fails by itself; what runs is abandoned',
    reply: { gate: never },
    spec: { ...spec(), execution: { run_timeout_ms: 300 } },
    act: async (runId) => until(async () => (await getSnapshot(engine.client, runId)).status === 'failed'),
    run: 'failed',
    nodes: { a: 'canceled', b: 'canceled' },
    events: ['node_started', 'run_failed'],
  },
  {
    what: 'a cancel while it runs',
    reply: { gate: never },
    act: cancel,
    answer: { run: { status: 'canceled' } },
    run: 'canceled',
    nodes: { a: 'canceled', b: 'canceled' },
    events: ['node_started', 'run_canceled'],
  },
  {
    what: 'a cancel while it waits',
    reply: asks,
    act: cancel,
    answer: { run: { status: 'canceled' } },
    run: 'canceled',
    nodes: { a: 'canceled', b: 'canceled' },
    events: ['node_waiting', 'run_canceled'],
  },
];

describe('a run', () => {
  it('returns its id, status and plan hash when it starts', async () => {
    peers.inference.reply = () => ({ gate: never });
    const created = await engine.client.createRun({ specJson: Buffer.from(JSON.stringify(spec())) }, callAs());
    expect(created).toMatchObject({ status: 'running', planHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await getSnapshot(engine.client, created.runId)).planHash).toBe(created.planHash);
  });

  it.each(rows.map((row) => [row.what, row] as const))('has the documented statuses after %s', async (_what, row) => {
    peers.inference.reply = ({ prompt, body }) => {
      if (prompt === 'c') return { gate: never };
      if (body.input.some((message) => message.role === 'tool')) return { gate: never };
      return prompt === 'a' ? row.reply : {};
    };
    const runId = await createRun(engine.client, row.spec ?? spec());
    if (row.act) {
      await until(async () => hasEvents(runId, row.events.slice(0, 1)));
      const answer = await row.act(runId);
      if (row.answer) expect(answer).toMatchObject(row.answer);
    }
    await until(async () => hasEvents(runId, row.events));
    await until(async () => (await getSnapshot(engine.client, runId)).status === row.run);
    const { status, nodes } = await getSnapshot(engine.client, runId);
    expect([status, Object.fromEntries(nodes.map((node) => [node.id, node.status]))]).toEqual([row.run, row.nodes]);
    const events = await checkLog(engine.client, runId);
    const last = events.findLast((event) => event.type === row.events.at(-1));
    expect(last).toMatchObject(row.fields ?? {});
  });
});

/** Whether the log has these events, in this order. */
async function hasEvents(runId: string, types: readonly string[]): Promise<boolean> {
  const emitted = (await readEvents(engine.client, runId, false)).map((event) => event.type);
  let at = -1;
  return types.every((type) => {
    at = emitted.indexOf(type, at + 1);
    return at !== -1;
  });
}
