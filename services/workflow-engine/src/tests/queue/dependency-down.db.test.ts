// Tests how queued requests wait while a service that they need is unavailable.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { awaitQueued, queue } from '../../testing/background-client.js';
import { awaitBatch, startBatch } from '../../testing/batch-client.js';
import { customerToken, type TestEngine } from '../../testing/engine-fixture.js';
import { until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const { database, peers } = usePeers(import.meta.url);

const REQUESTS = 60;
/** The pauses of a few failed attempts. */
const OUTAGE_MS = 4_000;

beforeEach(async () => {
  await database.pool.query('DELETE FROM background_responses');
});

const queues = [
  {
    name: 'background responses',
    table: 'background_responses',
    async add(engine: TestEngine) {
      const customers = Array.from({ length: REQUESTS / 20 }, () => customerToken(randomUUID()));
      const added = customers.flatMap((principal) =>
        Array.from({ length: 20 }, async () => ({ principal, id: await queue(engine, 'a request', { principal }) })),
      );
      const ids = await Promise.all(added);
      return async () => {
        for (const { principal, id } of ids) expect(await awaitQueued(engine, id, principal)).toBe('stored');
      };
    },
  },
  {
    name: 'batch lines',
    table: 'batch_lines',
    async add(engine: TestEngine) {
      const id = await startBatch(
        engine,
        Array.from({ length: REQUESTS }, (_, n) => `request ${n}`),
      );
      return async () => {
        expect((await awaitBatch(engine, id)).request_counts).toMatchObject({ completed: REQUESTS });
      };
    },
  },
];

describe.each(queues)('$name while the ledger is unavailable', ({ table, add }) => {
  it('retries each request after growing pauses only, and continues after it', async () => {
    peers.billing.decide = () => new AppError('SERVICE_UNAVAILABLE', 'not now', { retryable: true });
    const engine = await peers.engine({ sandboxProvider: true });
    const before = peers.billing.admitted.length;
    const finish = await add(engine);
    await until(() => peers.billing.admitted.length - before >= 5, 30_000);
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    // Each was tried once at most, and since then one a second.
    expect(peers.billing.admitted.length - before).toBeLessThan(REQUESTS + OUTAGE_MS / 1_000);
    const { rows } = await database.pool.query(`SELECT max(waits) > 0 AS "hasWaited" FROM ${table}`);
    expect(rows).toEqual([{ hasWaited: true }]);
    peers.billing.decide = () => undefined;
    await finish();
  });
});
