import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunSnapshot } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { checkLog } from '../../testing/check-log.js';
import { type CutMode, cuttableLink } from '../../testing/cuttable-link.js';
import { callAs, createPeers, customerToken, type Peers, type TestEngine } from '../../testing/engine-fixture.js';
import type { FakeCall, FakeReply } from '../../testing/fake-inference.js';
import { createRun, getSnapshot, parseJson, say, TEXT, until } from '../../testing/run-client.js';

// Kills an engine at one of the messages that it sends to its database, before the message arrives or after it took
// effect, while it runs nodes of every kind. Another engine finishes the run: nothing is lost, done twice or paid twice.

/** Separate databases, so that no other engine takes the work over. */
const LANES = 4;
let lanes: TestDatabase[];

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  lanes = await Promise.all(Array.from({ length: LANES }, () => testDatabase(import.meta.url, { migrations })));
});
afterAll(() => Promise.all(lanes.map((lane) => lane.drop())));

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };
/** Crash points per scenario, spread evenly over all messages of an undisturbed run. */
const POINTS = 14;

interface Scenario {
  name: string;
  spec: object;
  input?: object;
  reply?: (call: FakeCall) => FakeReply;
  outputs: unknown;
  /** Tool calls that the service runs. */
  tools?: number;
  /** The run's memory at the end. */
  memory?: object;
}

const toolCall = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
const answers = (body: FakeCall['body']) => body.input.filter((message) => message.role === 'assistant').length;
const out = (from: string, pointer = TEXT) => ({ outputs: [{ name: 'o', from, pointer }] });

const scenarios: Scenario[] = [
  {
    name: 'model calls one after the other',
    spec: {
      kind: 'workflow.v0',
      nodes: [
        say('a', 'hello there'),
        say('b', '{{x}}', { bindings: [{ from: 'a', pointer: TEXT, to_placeholder: 'x' }] }),
      ],
      ...out('b'),
    },
    outputs: { o: 'hello there' },
  },
  {
    name: 'model calls that start in the transition that ends the previous one',
    spec: {
      kind: 'workflow.v0',
      nodes: [say('a', 'one'), say('b', 'two'), say('c', 'three')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
      ...out('c'),
    },
    outputs: { o: 'three' },
  },
  {
    name: 'tools that the service runs',
    spec: { kind: 'workflow.v0', nodes: [say('a', 'go')], ...out('a') },
    reply: ({ body }) => {
      const step = answers(body);
      if (step === 2) return { text: 'done' };
      const write = toolCall('w', 'kv_write', { key: `k${step}`, value: 'v' });
      return { toolCalls: [write, toolCall('s', 'web_search', { query: 'x' })] };
    },
    outputs: { o: 'done' },
    tools: 4,
    memory: { k0: 'v', k1: 'v' },
  },
  {
    name: 'tools of both sides',
    spec: { kind: 'workflow.v0', nodes: [say('a', 'go', { tool_execution: { mode: 'client' } })], ...out('a') },
    reply: ({ body }) =>
      answers(body) > 0
        ? { text: 'done' }
        : { toolCalls: [toolCall('m', 'mine', {}), toolCall('w', 'kv_write', { key: 'k', value: 'v' })] },
    outputs: { o: 'done' },
    tools: 1,
    memory: { k: 'v' },
  },
  {
    name: 'a fan-out of model calls',
    spec: {
      kind: 'workflow.v1',
      inputs: [{ name: 'list' }],
      nodes: [
        {
          id: 'fan',
          type: 'map.fanout',
          input: {
            items: { from_input: 'list' },
            item_bindings: [{ to_placeholder: 'x' }],
            subnode: { type: 'llm.responses', input: { request: say('x', 'say {{x}}').input.request } },
            max_parallelism: 2,
          },
        },
        { id: 't', type: 'transform.json', input: { from: 'fan', pointer: `/results/2${TEXT}` } },
      ],
      ...out('t', ''),
    },
    input: { list: ['a', 'b', 'c'] },
    outputs: { o: 'say c' },
  },
  {
    name: 'switches, joins and branches that are skipped',
    spec: {
      kind: 'workflow.v1',
      nodes: [
        say('a', 'yes'),
        {
          id: 's',
          type: 'route.switch',
          input: { from: 'a', pointer: TEXT, cases: [{ route: 'y', op: 'matches', value: 'yes' }] },
        },
        say('y', 'was yes'),
        say('n', 'was no'),
        { id: 'any', type: 'join.any' },
        { id: 'some', type: 'join.collect' },
      ],
      edges: ['y', 'n'].flatMap((id) => [
        { from: 's', to: id, when: { source: 'node_output', op: 'equals', path: '$.route', value: id } },
        { from: id, to: 'any' },
        { from: id, to: 'some' },
      ]),
      ...out('any'),
    },
    outputs: { o: 'was yes' },
  },
  {
    name: 'a node that fails and begins again',
    spec: {
      kind: 'workflow.v1',
      nodes: [{ ...say('a', 'go'), retry: { max_attempts: 3, retryable_errors: ['INVALID_INPUT'], backoff_ms: 1 } }],
      ...out('a'),
    },
    // The second step of the first attempt fails; the retry goes through.
    reply: (() => {
      const failed = new Set<object>();
      return ({ body, request }: FakeCall): FakeReply => {
        const peers = request.toolContext?.runId ?? '';
        const key = runs.get(peers) ?? {};
        runs.set(peers, key);
        if (answers(body) === 0) return { toolCalls: [toolCall('l', 'kv_list', {})] };
        if (failed.has(key)) return { text: 'done' };
        failed.add(key);
        return { error: new AppError('INVALID_INPUT', 'once') };
      };
    })(),
    outputs: { o: 'done' },
  },
];
const runs = new Map<string, object>();

/** Answers all client tool calls until the run has ended. */
async function drive(client: TestEngine['client'], runId: string): Promise<RunSnapshot> {
  let run = await getSnapshot(client, runId);
  await until(async () => {
    const { pending } = await client.listPendingTools({ runId }, callAs());
    for (const { nodeId, step, holdId, toolCalls } of pending) {
      const results = toolCalls.map(({ toolCallId, name }) => ({ toolCallId, name, output: '"mine"' }));
      await client.submitToolResults({ runId, nodeId, step, holdId, results }, callAs()).catch(() => undefined);
    }
    run = await getSnapshot(client, runId);
    return ['succeeded', 'failed', 'canceled'].includes(run.status);
  });
  return run;
}

interface Death {
  at: number;
  mode: CutMode;
}

/**
 * Runs the scenario on an engine that dies at `death`, lets another engine finish it, and checks every promise. Returns
 * the number of messages that the first engine sent.
 */
async function survive(database: TestDatabase, scenario: Scenario, death: Death): Promise<number> {
  const { spec, input, reply } = scenario;
  const peers = createPeers(database);
  if (reply) peers.inference.reply = reply;
  const link = await cuttableLink(database.url);
  try {
    const dying = await peers.engine({ url: link.url, work });
    link.cutAt(death.at, death.mode);
    const more = { idempotencyKey: `${death.at}-${death.mode}-${Math.random()}`, ...(input && { input }) };
    const first = await createRun(dying.client, spec, customerToken(), more).catch(() => undefined);
    await until(async () => link.isCut || (first !== undefined && (await isOver(database, first))), 40_000);
    const sent = link.sent;
    const survivor = await peers.engine({ work });
    // Repeating the request finds the started run, or starts it.
    const runId = await createRun(survivor.client, spec, customerToken(), more);
    if (first !== undefined) expect(runId).toBe(first);
    const run = await drive(survivor.client, runId);
    await expectRight(database, peers, survivor, run, scenario);
    return sent;
  } finally {
    // Restores the connection, so that the killed engine can stop.
    link.mend();
    await peers.stopAll();
    await link.close();
  }
}

async function isOver(database: TestDatabase, runId: string): Promise<boolean> {
  const sql = `SELECT 1 FROM runs WHERE run_id = $1 AND ended_at IS NOT NULL
               UNION ALL SELECT 1 FROM run_nodes WHERE run_id = $1 AND status = 'waiting'`;
  return ((await database.pool.query(sql, [runId])).rowCount ?? 0) > 0;
}

async function expectRight(
  database: TestDatabase,
  peers: Peers,
  { client }: TestEngine,
  run: RunSnapshot,
  { outputs, tools, memory }: Scenario,
): Promise<void> {
  const { runId } = run;
  expect([run.status, run.error?.code]).toEqual(['succeeded', undefined]);
  expect(parseJson(run.outputsJson)).toEqual(outputs);
  await checkLog(client, runId);
  const { rows } = await database.pool.query(
    `SELECT node_id, step FROM run_steps WHERE run_id = $1 AND status = 'settled'
     GROUP BY 1, 2 HAVING count(*) > 1`,
    [runId],
  );
  expect(rows).toEqual([]);
  // A superseded hold may stay open, for example of a call that was lost before it was made: the ledger ends it later.
  const { open, superseded } = peers.billing;
  await until(() => [...open].every((id) => superseded.has(id)), 30_000);
  expect(peers.billing.customerMicrocents()).toBe(run.costSummary?.totalMicrocents);
  if (tools !== undefined) expect(peers.tools.distinct().size).toBe(tools);
  if (!memory) return;
  const kept = await database.pool.query("SELECT body FROM run_artifacts WHERE run_id = $1 AND key = 'run_memory.v0'", [
    runId,
  ]);
  expect(JSON.parse(kept.rows[0].body)).toEqual(memory);
}

describe('an engine that crashes', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'recovers from a crash at any point of a run with %s',
    async (_name, scenario) => {
      const messages = await survive(lanes[0]!, scenario, { at: Number.MAX_SAFE_INTEGER, mode: 'before' });
      const deaths = Array.from({ length: POINTS }, (_, index): Death => {
        const at = 1 + Math.round((index / (POINTS - 1)) * (messages - 1));
        return { at, mode: index % 2 === 0 ? 'after' : 'before' };
      });
      const inLane = async (lane: TestDatabase): Promise<void> => {
        for (let death = deaths.pop(); death; death = deaths.pop()) await survive(lane, scenario, death);
      };
      await Promise.all(lanes.map(inLane));
    },
    600_000,
  );
});
