import { describe, expect, it } from '@jest/globals';
import { callAs, customerToken } from '../testing/engine-fixture.js';
import { awaitEnd, createRun, getSnapshot, readEvents, say, until } from '../testing/run-client.js';
import { useEngine } from '../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

const never = new Promise<void>(() => undefined);
const one = { kind: 'workflow.v0', nodes: [say('a', 'hello there')] };

async function readCost(runId: string) {
  const { costSummary } = await getSnapshot(engine.client, runId);
  return costSummary!;
}

async function expectExactCost(runId: string): Promise<void> {
  await until(async () => (await readCost(runId)).ambiguousAttempts.length === 0);
  const cost = await readCost(runId);
  expect(peers.billing.customerMicrocents()).toBeGreaterThan(0n);
  expect(cost.totalMicrocents).toBe(peers.billing.customerMicrocents());
  expect(cost.lineItems).toMatchObject([{ nodeId: 'a', requests: 1, inputTokens: 3n, outputTokens: 1n }]);
  const { rows } = await database.pool.query('SELECT * FROM run_unknown_costs WHERE run_id = $1', [runId]);
  expect(rows).toEqual([]);
}

describe('the cost of a call that was cut off after its first output', () => {
  it('equals the charge exactly after a cancel', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: never });
    const runId = await createRun(engine.client, one, customerToken());
    const hasSpoken = async () =>
      (await readEvents(engine.client, runId, false)).some((event) => event.type === 'node_output_delta');
    await until(hasSpoken);
    await engine.client.cancelRun({ runId }, callAs());
    await expectExactCost(runId);
  });

  it('equals the charge exactly after the node’s deadline', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: never });
    const runId = await createRun(engine.client, { ...one, execution: { node_timeout_ms: 400 } });
    expect((await awaitEnd(engine.client, runId)).error?.code).toBe('RELAY_TIMEOUT');
    await expectExactCost(runId);
  });

  it('equals the charge exactly after the run’s deadline', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: never });
    const runId = await createRun(engine.client, { ...one, execution: { run_timeout_ms: 400 } });
    await awaitEnd(engine.client, runId);
    await expectExactCost(runId);
  });

  it('remains ambiguous while the ledger does not know it, then becomes exact', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: never });
    peers.billing.knowsOutcomes = false;
    const runId = await createRun(engine.client, one);
    await until(() => peers.inference.calls.length === 1);
    await engine.client.cancelRun({ runId }, callAs());
    await until(() => peers.billing.outcomesAsked > 1);
    expect((await readCost(runId)).ambiguousAttempts).toHaveLength(1);
    peers.billing.knowsOutcomes = true;
    await expectExactCost(runId);
  });
});
