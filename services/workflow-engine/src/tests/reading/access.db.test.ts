import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import {
  CUSTOMER,
  callAs,
  customerToken,
  OTHER_CUSTOMER,
  OTHER_PROJECT,
  PROJECT,
  secretKey,
  type TestEngine,
} from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, readLog, say } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

const spec = { kind: 'workflow.v0', nodes: [say('a', 'hello')] };
const bytes = (value: object) => Buffer.from(JSON.stringify(value));

describe('access to a run', () => {
  const asks: [name: string, ask: (runId: string, call: Call) => Promise<unknown>][] = [
    ['getRun', (runId, call) => engine.client.getRun({ runId }, call)],
    ['cancelRun', (runId, call) => engine.client.cancelRun({ runId }, call)],
    ['listPendingTools', (runId, call) => engine.client.listPendingTools({ runId }, call)],
    ['submitToolResults', (runId, call) => engine.client.submitToolResults({ runId, nodeId: 'a' }, call)],
    ['streamRunEvents', (runId, call) => engine.client.streamRunEvents({ runId }, call)[Symbol.asyncIterator]().next()],
  ];

  it.each(asks)('hides the run from other projects and customers, and unknown ids: %s', async (_name, ask) => {
    const runId = await createRun(engine.client, spec, customerToken());
    const strangers = [secretKey(OTHER_PROJECT), customerToken(OTHER_CUSTOMER), customerToken(CUSTOMER, OTHER_PROJECT)];
    for (const stranger of strangers) {
      await expect(ask(runId, callAs(stranger))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    for (const unknownRunId of ['66666666-6666-4666-8666-666666666666', 'x', '']) {
      await expect(ask(unknownRunId, callAs())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('cancels by idempotency key only the run that the same caller started with it', async () => {
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const idempotencyKey = 'mcp/1';
    const runId = await createRun(engine.client, spec, customerToken(), { idempotencyKey });
    const strangers = [secretKey(OTHER_PROJECT), customerToken(OTHER_CUSTOMER), customerToken(CUSTOMER, OTHER_PROJECT)];
    for (const stranger of [...strangers, secretKey()]) {
      const refused = engine.client.cancelRun({ idempotencyKey }, callAs(stranger));
      await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const { run } = await engine.client.cancelRun({ idempotencyKey }, callAs(customerToken()));
    expect(run).toMatchObject({ runId, status: 'canceled' });
  });

  it("shows a customer's run to the project's keys, but not the reverse", async () => {
    const ofCustomer = await createRun(engine.client, spec, customerToken());
    const ofProject = await createRun(engine.client, spec, secretKey());
    expect((await awaitEnd(engine.client, ofCustomer)).customerId).toBe(CUSTOMER);
    await expect(engine.client.getRun({ runId: ofProject }, callAs(customerToken()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const { runs } = await engine.client.listRuns({ limit: 200, offset: 0 }, callAs(customerToken()));
    expect(runs.map((run) => run.runId)).toContain(ofCustomer);
    expect(runs.every((run) => run.customerId === CUSTOMER)).toBe(true);
  });

  it('rejects publishable keys', async () => {
    const key = create(PrincipalSchema, { kind: PrincipalKind.PUBLISHABLE_KEY, projectId: PROJECT });
    await expect(createRun(engine.client, spec, key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(engine.client.listRuns({ limit: 1, offset: 0 }, callAs(key))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('creating a run', () => {
  it('rejects an invalid spec with all issues and stores nothing', async () => {
    const bad = { kind: 'workflow.v0', nodes: [{ id: 'a', type: 'magic' }], outputs: [{ name: 'o', from: 'z' }] };
    await expect(createRun(engine.client, bad)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [
        { code: 'UNKNOWN_NODE_TYPE', path: '/nodes/0/type', message: 'unknown node type magic' },
        { code: 'UNKNOWN_NODE', path: '/outputs/0/from' },
      ],
    });
  });

  it('starts a run by plan hash, only within the project', async () => {
    const own = { ...spec, nodes: [say('a', 'within one project')] };
    const first = await engine.client.createRun({ specJson: bytes(own) }, callAs());
    const second = await engine.client.createRun({ planHash: first.planHash }, callAs());
    expect(second).toMatchObject({ planHash: first.planHash, status: 'running' });
    expect(second.runId).not.toBe(first.runId);
    expect((await awaitEnd(engine.client, second.runId)).status).toBe('succeeded');
    const foreign = engine.client.createRun({ planHash: first.planHash }, callAs(secretKey(OTHER_PROJECT)));
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('returns the same run for the same key and request, also concurrently', async () => {
    const other = await peers.engine();
    const ask = (client: TestEngine['client']) =>
      client.createRun({ specJson: bytes(spec), idempotencyKey: 'k1' }, callAs());
    const answers = await Promise.all([ask(engine.client), ask(other.client), ask(engine.client), ask(other.client)]);
    await awaitEnd(engine.client, answers[0].runId);
    answers.push(await ask(other.client));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { rows } = await database.pool.query("SELECT count(*)::int AS n FROM run_keys WHERE key = 'k1'");
    expect(rows).toEqual([{ n: 1 }]);
    expect(peers.inference.calls).toHaveLength(1);
  });

  it("ignores the order of the request's keys", async () => {
    const ask = (value: object) => engine.client.createRun({ specJson: bytes(value), idempotencyKey: 'k2' }, callAs());
    const first = await ask({ kind: spec.kind, nodes: spec.nodes });
    expect((await ask({ nodes: spec.nodes, kind: spec.kind })).runId).toBe(first.runId);
  });

  it('rejects the same key for another request', async () => {
    await createRun(engine.client, spec, undefined, { idempotencyKey: 'k3' });
    const other = { kind: 'workflow.v0', nodes: [say('a', 'other')] };
    await expect(createRun(engine.client, other, undefined, { idempotencyKey: 'k3' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const override = { idempotencyKey: 'k3', modelOverride: 'm' };
    await expect(createRun(engine.client, spec, undefined, override)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('separates the keys of projects and customers', async () => {
    const askers = [secretKey(), secretKey(OTHER_PROJECT), customerToken(), customerToken(OTHER_CUSTOMER)];
    const ids = await Promise.all(askers.map((who) => createRun(engine.client, spec, who, { idempotencyKey: 'k4' })));
    expect(new Set(ids).size).toBe(4);
  });

  it('forgets a key after a day', async () => {
    const first = await createRun(engine.client, spec, undefined, { idempotencyKey: 'k5' });
    await database.pool.query("UPDATE run_keys SET created_at = now() - interval '25 hours' WHERE key = 'k5'");
    expect(await createRun(engine.client, spec, undefined, { idempotencyKey: 'k5' })).not.toBe(first);
  });
});

describe('reading the log', () => {
  it('ends at the current end without waiting, and at the limit', async () => {
    const runId = await createRun(engine.client, spec);
    await awaitEnd(engine.client, runId);
    const all = await readLog(engine.client, runId);
    expect(await readLog(engine.client, runId, { limit: 3 })).toEqual(all.slice(0, 3));
    expect(await readLog(engine.client, runId, { afterSeq: 2, limit: 2 })).toEqual(all.slice(2, 4));
    expect(await readLog(engine.client, runId, { afterSeq: all.length })).toEqual([]);
    expect(await readLog(engine.client, runId, { afterSeq: 9_999 })).toEqual([]);
  });

  it('yields an empty first page at once', async () => {
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const runId = await createRun(engine.client, spec);
    const pages = engine.client
      .streamRunEvents({ runId, afterSeq: 1000, wait: true }, callAs())
      [Symbol.asyncIterator]();
    expect(await pages.next()).toMatchObject({ done: false, value: { events: [] } });
    await engine.client.cancelRun({ runId }, callAs());
    expect(await pages.next()).toMatchObject({ done: true });
  });

  it("ends a stream before the caller's deadline", async () => {
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const runId = await createRun(engine.client, spec);
    const lines: string[] = [];
    for await (const { events } of engine.client.streamRunEvents({ runId, wait: true }, callAs(secretKey(), 600))) {
      lines.push(...events.map((event) => event.type));
    }
    expect(lines.slice(0, 2)).toEqual(['run_compiled', 'run_started']);
    await engine.client.cancelRun({ runId }, callAs());
  });
});
