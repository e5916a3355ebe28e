import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { foldEvents } from '@tollgate/testkit';
import { checkLog } from '../../testing/check-log.js';
import { type CuttableLink, cuttableLink } from '../../testing/cuttable-link.js';
import { customerToken } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, getSnapshot, readEvents, say, TEXT, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const { database, peers } = usePeers(import.meta.url);
let link: CuttableLink;

beforeEach(async () => {
  link = await cuttableLink(database.url);
});
afterEach(() => link.close());

const short = { leaseMs: 700, heartbeatMs: 150, pollMs: 100, drainMs: 50 };
const never = new Promise<void>(() => undefined);
const one = {
  kind: 'workflow.v0',
  nodes: [say('a', 'hello there')],
  outputs: [{ name: 'o', from: 'a', pointer: TEXT }],
};

async function readSteps(runId: string): Promise<{ attempt: number; status: string; request_id: string }[]> {
  const { rows } = await database.pool.query(
    'SELECT attempt, status, request_id FROM run_steps WHERE run_id = $1 ORDER BY attempt',
    [runId],
  );
  return rows;
}

describe('two engines on one database', () => {
  it('shares the nodes of a run between the engines', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const nodes = ['a', 'b', 'c', 'd'].map((id) => say(id, id));
    const first = await peers.engine({ work: { slots: 2 } });
    await peers.engine({ work: { slots: 2 } });
    const runId = await createRun(first.client, { kind: 'workflow.v0', nodes });
    // Each engine has two slots, so both engines run two of the four calls.
    await until(() => peers.inference.calls.length === 4);
    open();
    expect((await awaitEnd(first.client, runId)).status).toBe('succeeded');
    await checkLog(first.client, runId);
  });

  it('runs no step twice, with and without notifications', async () => {
    const chain = (prefix: string) => [
      say(`${prefix}1`, prefix),
      say(`${prefix}2`, '{{x}}', { bindings: [{ from: `${prefix}1`, pointer: TEXT, to_placeholder: 'x' }] }),
    ];
    const spec = {
      kind: 'workflow.v0',
      nodes: [...chain('p'), ...chain('q'), { id: 'j', type: 'join.all' }],
      edges: [
        { from: 'p2', to: 'j' },
        { from: 'q2', to: 'j' },
      ],
    };
    // Uses production leases: a short one may expire on a busy machine, and then a step is repeated.
    const work = { slots: 3, pollMs: 100 };
    const engines = [await peers.engine({ work }), await peers.engine({ work, usesNotify: false })];
    const runs = await Promise.all(
      Array.from({ length: 16 }, (_, index) => createRun(engines[index % 2]!.client, spec, customerToken())),
    );
    let total = 0n;
    for (const [index, runId] of runs.entries()) {
      const run = await awaitEnd(engines[(index + 1) % 2]!.client, runId);
      expect(run.status).toBe('succeeded');
      await checkLog(engines[0]!.client, runId);
      total += run.costSummary!.totalMicrocents;
    }
    expect(peers.inference.calls).toHaveLength(16 * 4);
    expect(peers.billing.customerMicrocents()).toBe(total);
    expect(peers.billing.open.size).toBe(0);
  });
});

describe('after the crash of an engine', () => {
  it('finishes the run on another engine; the customer pays once', async () => {
    const dying = await peers.engine({ url: link.url, work: short });
    peers.inference.reply = ({ prompt }) =>
      peers.inference.calls.length === 1 ? { gateAfterFirst: never } : { text: `${prompt}!` };
    const runId = await createRun(dying.client, one, customerToken());
    await until(() => peers.inference.calls.length === 1);
    const survivor = await peers.engine({ work: short });
    await until(async () =>
      (await readEvents(survivor.client, runId, false)).some((event) => event.type === 'node_output_delta'),
    );
    link.cut();
    const run = await awaitEnd(survivor.client, runId);
    expect(run.status).toBe('succeeded');
    const [lost, kept] = await readSteps(runId);
    expect([lost?.status, kept?.status]).toEqual(['ambiguous', 'settled']);
    expect(run.costSummary?.ambiguousAttempts).toMatchObject([{ nodeId: 'a', holdId: lost?.request_id }]);
    expect(run.costSummary?.lineItems).toHaveLength(1);
    expect(peers.billing.superseded).toEqual(new Set([lost?.request_id]));
    await until(() => peers.billing.settled.size === 2);
    expect(peers.billing.customerMicrocents()).toBe(run.costSummary?.totalMicrocents);
    const events = await checkLog(survivor.client, runId);
    const deltas = events.filter((event) => event.type === 'node_output_delta').map((event) => event.delta.kind);
    expect(deltas[0]).toBe('text');
    expect(deltas.filter((kind) => kind === 'reset')).toHaveLength(1);
    expect(foldEvents(events, ['a']).nodes.a?.text).toBe('hello there!');
  });

  it('sends an unsent call under the same hold', async () => {
    const dying = await peers.engine({ url: link.url, work: short });
    let hasDied = false;
    peers.billing.decide = () => {
      if (!hasDied) link.cut();
      hasDied = true;
      return undefined;
    };
    const runId = await createRun(dying.client, one);
    await until(() => hasDied);
    const survivor = await peers.engine({ work: short });
    const run = await awaitEnd(survivor.client, runId);
    expect(run.status).toBe('succeeded');
    expect(await readSteps(runId)).toMatchObject([{ attempt: 1, status: 'settled' }]);
    expect(new Set(peers.billing.admitted.map(({ req }) => req.holdId)).size).toBe(1);
    expect(run.costSummary?.ambiguousAttempts).toEqual([]);
    expect(peers.inference.calls).toHaveLength(1);
    expect(peers.billing.open.size).toBe(0);
  });

  it('aborts the call of an engine that returns, and discards its result', async () => {
    const zombie = await peers.engine({ url: link.url, work: short });
    const { promise, open } = gate();
    peers.inference.reply = () =>
      peers.inference.calls.length === 1 ? { gate: promise, text: 'stale' } : { text: 'fresh' };
    const runId = await createRun(zombie.client, one, customerToken());
    await until(() => peers.inference.calls.length === 1);
    link.cut();
    const survivor = await peers.engine({ work: short });
    const run = await awaitEnd(survivor.client, runId);
    link.mend();
    open();
    await until(() => peers.inference.calls[0]!.isAborted || peers.inference.calls[0]!.isDone);
    expect(run.nodes.map((node) => Buffer.from(node.outputJson).toString())[0]).toContain('fresh');
    const later = await getSnapshot(survivor.client, runId);
    expect(later.nodes).toEqual(run.nodes);
    // The usage of the first engine's call is settled last and is not charged to the customer.
    await until(() => peers.billing.settled.size === 2);
    expect(later.costSummary?.totalMicrocents).toBe(peers.billing.customerMicrocents());
    await checkLog(survivor.client, runId);
  });
});

describe('an engine that stops', () => {
  it('releases unfinished work at once', async () => {
    const leaving = await peers.engine({ work: { pollMs: 100, drainMs: 50 } });
    peers.inference.reply = () => (peers.inference.calls.length === 1 ? { gate: never } : {});
    const runId = await createRun(leaving.client, one);
    await until(() => peers.inference.calls.length === 1);
    await leaving.stop();
    const due = "SELECT lease_until, run_at <= now() AS is_due FROM run_work WHERE run_id = $1 AND kind = 'node'";
    expect((await database.pool.query(due, [runId])).rows).toEqual([{ lease_until: null, is_due: true }]);
    const next = await peers.engine({ work: { pollMs: 100 } });
    expect((await awaitEnd(next.client, runId)).status).toBe('succeeded');
    await checkLog(next.client, runId);
  });

  it('finishes work within the drain time', async () => {
    const leaving = await peers.engine({ work: { drainMs: 15_000 } });
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const runId = await createRun(leaving.client, one);
    await until(() => peers.inference.calls.length === 1);
    const stopped = leaving.stop();
    open();
    await stopped;
    const { rows } = await database.pool.query('SELECT status FROM runs WHERE run_id = $1', [runId]);
    expect(rows).toEqual([{ status: 'succeeded' }]);
  });
});

describe('work that fails repeatedly', () => {
  it('fails its node with a visible reason', async () => {
    const engine = await peers.engine({ work: short });
    peers.billing.decide = () => {
      throw new Error('broken');
    };
    const runId = await createRun(engine.client, one);
    await until(() => peers.billing.admitted.length > 0);
    await until(async () => {
      const sql =
        "UPDATE run_work SET retries = 21, run_at = now() - interval '1 s' WHERE run_id = $1 AND retries > 0 AND lease_owner IS NULL";
      return (await database.pool.query(sql, [runId])).rowCount === 1;
    });
    const run = await awaitEnd(engine.client, runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } });
    await checkLog(engine.client, runId);
  });
});
