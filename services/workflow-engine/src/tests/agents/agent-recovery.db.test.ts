import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import {
  awaitResult,
  calling,
  callsTools,
  definition,
  readOutputText,
  startAgent,
  userText,
} from '../../testing/agent-runs.js';
import { checkLog } from '../../testing/check-log.js';
import { type CuttableLink, cuttableLink } from '../../testing/cuttable-link.js';
import { customerToken, type TestEngine } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const { database, peers } = usePeers(import.meta.url);
let link: CuttableLink;
let dying: TestEngine;

beforeEach(async () => {
  link = await cuttableLink(database.url);
  dying = await peers.engine({ url: link.url, work: short });
});
afterEach(() => link.close());

const short = { leaseMs: 700, heartbeatMs: 150, pollMs: 100, drainMs: 50 };
const principal = customerToken();
const ref = { fragment: { ref: 'deep' } };
const deep = {
  nodes: [{ id: 'ask', type: 'llm.responses', input: { model: 'm', input: [userText('deep')] } }],
  outputs: [{ name: 'o', from: 'ask', pointer: '/output/0/content/0/text' }],
};
const input = calling(['lookup', { n: 1 }], ['deep', {}], ['lookup', { n: 2 }]);

function prepare(): void {
  peers.agents.put('helper', { system: 'S', tools: [definition('lookup'), ref], fragments: { deep } });
  peers.inference.reply = (call) => (call.body.tools ? callsTools(call) : {});
}

/** Every step settled once, every step charged once, no hold left. */
async function checkMoney(runId: string): Promise<void> {
  const { rows } = await database.pool.query<{ node_id: string; step: number; settled: bigint; cost: bigint }>(
    `SELECT node_id, step, count(*) FILTER (WHERE status = 'settled') AS settled, coalesce(sum(cost_microcents), 0) AS cost
     FROM run_steps WHERE run_id = $1 GROUP BY node_id, step ORDER BY node_id, step`,
    [runId],
  );
  expect(rows.map(({ settled }) => Number(settled))).toEqual(rows.map(() => 1));
  const total = rows.reduce((sum, { cost }) => sum + BigInt(cost), 0n);
  // Inference settles a lost attempt late, and the attempt is superseded.
  await until(() => peers.billing.open.size === 0);
  expect(peers.billing.customerMicrocents()).toBe(total);
}

describe('an agent’s run whose engine crashes', () => {
  /** Where the engine crashes, by the calls so far. */
  const moments: [string, () => boolean][] = [
    ['while it is admitted', () => peers.billing.admitted.length === 2],
    ['while its model answers', () => peers.inference.calls.length === 3],
    ['while a tool runs', () => peers.tools.calls.length === 2],
    ['while its fragment asks a model', () => peers.inference.calls.some(({ prompt }) => prompt === 'deep')],
  ];

  it.each(moments)('finishes on another engine and charges each step once, %s', async (_moment, isDue) => {
    prepare();
    let isDead = false;
    const die = async (): Promise<undefined> => {
      if (isDead || !isDue()) return undefined;
      isDead = true;
      link.cut();
      return undefined;
    };
    peers.billing.decide = () => die();
    const reply = peers.inference.reply;
    peers.inference.reply = (call) => {
      void die();
      return reply(call);
    };
    peers.tools.reply = () => {
      void die();
      return {};
    };
    const runId = await startAgent(dying, { input, principal });
    await until(() => isDead);
    const survivor = await peers.engine({ work: short });
    const result = await awaitResult(survivor, runId, principal);
    expect(result).toMatchObject({ status: 'succeeded', usage: { steps: 4, llmCalls: 5, toolCalls: 3 } });
    expect(readOutputText(result.output)).toBe('{"ran":"lookup","with":{"n":2}}');
    await checkLog(survivor.client, runId);
    await checkMoney(runId);
    // A tool that was asked again was asked under the same ids.
    expect(peers.tools.distinct().size).toBe(2);
  });

  it('finishes a replay with the same bytes and without calls', async () => {
    prepare();
    const source = await startAgent(dying, { input, principal });
    const original = await awaitResult(dying, source, principal);
    const asked = peers.inference.calls.length;
    const runId = await startAgent(dying, { mode: AgentRunMode.REPLAY, replayRunId: source });
    link.cut();
    const survivor = await peers.engine({ work: short });
    const replayed = await awaitResult(survivor, runId);
    expect(replayed.outputText).toBe(original.outputText);
    expect(peers.inference.calls).toHaveLength(asked);
    await checkLog(survivor.client, runId);
  });

  it('uses no mock answer twice', async () => {
    prepare();
    let isDead = false;
    const reply = peers.inference.reply;
    peers.inference.reply = (call) => {
      if (!isDead && peers.inference.calls.length === 2) {
        isDead = true;
        link.cut();
      }
      return reply(call);
    };
    const mocks = { lookup: ['first', 'second'], deep: { o: 'x' } };
    const runId = await startAgent(dying, { mode: AgentRunMode.TEST, input, mocks });
    await until(() => isDead);
    const survivor = await peers.engine({ work: short });
    const result = await awaitResult(survivor, runId);
    expect(readOutputText(result.output)).toBe('second');
    expect(result.mocks).toEqual({ served: { lookup: 2, deep: 1 }, unconsumed: {}, unmocked: {} });
  });
});

describe('a scheduler whose engine crashes repeatedly', () => {
  it('finishes and charges each step once', async () => {
    prepare();
    peers.agents.put('worker', { system: 'worker' });
    peers.agents.put('boss', { system: 'boss' });
    let deaths = 0;
    peers.inference.reply = ({ body }) => {
      if ([2, 5, 9].includes(peers.inference.calls.length)) {
        deaths += 1;
        link.cut();
      }
      const isBoss = body.tools?.some((tool) => tool.function?.name === 'scheduler_done');
      return { text: isBoss ? 'continue' : 'a draft' };
    };
    const spec = {
      kind: 'workflow.v0',
      nodes: [
        {
          id: 's',
          type: 'agent.scheduler',
          agents: [{ agent: 'worker', count: 2, input: [userText('write')] }],
          coordinator: { agent: 'boss', input: [userText('decide')] },
          policy: { max_rounds: 3 },
        },
      ],
      outputs: [{ name: 'o', from: 's', pointer: '/reason' }],
    };
    const runId = await createRun(dying.client, spec, principal);
    for (let seen = 1; seen <= 3; seen += 1) {
      await until(() => deaths >= seen);
      link.mend();
      await peers.engine({ url: link.url, work: short });
    }
    const survivor = await peers.engine({ work: short });
    const run = await awaitEnd(survivor.client, runId);
    expect([run.status, Buffer.from(run.outputsJson).toString()]).toEqual(['succeeded', '{"o":"max_rounds"}']);
    await checkLog(survivor.client, runId);
    await checkMoney(runId);
  });
});
