import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { explainStatement, type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { newOrderedId, silentLogger } from '@tollgate/runtime';
import { scrapeMetrics, waitUntil } from '@tollgate/testkit';
import { createEmbeddedTransport } from './embedded/embedded-transport.js';
import { LAG_SETTINGS, lagSql } from './embedded/log-lag.js';
import { logNames } from './embedded/log-tables.js';
import type { OutboxEvent } from './event.js';
import { observeLag, observeOutbox } from './event-metrics.js';
import { appendEvents, OUTBOX_HEAD_SQL } from './outbox.js';
import { createRelay } from './relay.js';
import { markOutboxPublished } from './store/gen/outbox.js';
import { OUTBOX_SQL } from './tables.js';
import type { Subscription } from './transport.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query(OUTBOX_SQL);
});
afterEach(() => database.drop());

function event(text: string): OutboxEvent {
  const base = { topic: 'topic', key: text, type: 'type', occurredAt: new Date(Date.now() - 60_000) };
  return { ...base, id: newOrderedId(), payload: Buffer.from(text) };
}

it('shows the outbox, the lag, handled events and dead letters as they are', async () => {
  const registry = new MetricsRegistry();
  const metrics = registry.forService('hooks-webhooks');
  const scrapeValues = async (name: string) =>
    (await scrapeMetrics(registry, name))[name]?.samples.map(({ labels, value }) => ({ ...labels, value })) ?? [];
  const { pool, url, schema } = database;
  observeOutbox(metrics, pool);
  await appendEvents(pool, ['good', 'bad', 'fine'].map(event));
  expect(await scrapeValues('tollgate_outbox_rows')).toEqual([{ service: 'hooks-webhooks', value: 3 }]);
  const [age] = await scrapeValues('tollgate_outbox_oldest_age_seconds');
  expect(age?.value).toBeGreaterThanOrEqual(60);

  const own = `${schema}_log`;
  const transport = createEmbeddedTransport({ url, schema: own, logger: silentLogger });
  await transport.start();
  const relay = createRelay({ pool, schema, source: '/test', transport, logger: silentLogger });
  await relay.drain();
  const subscription: Subscription = {
    group: 'group',
    topics: ['topic'],
    metrics,
    attemptsMax: 1,
    async handler({ key }) {
      if (key === 'bad') throw new Error('cannot be handled');
    },
  };
  observeLag(metrics, [subscription], async () => transport);
  const labels = { service: 'hooks-webhooks', group: 'group', topic: 'topic' };
  expect(await scrapeValues('tollgate_consumer_lag')).toEqual([{ ...labels, value: 3 }]);
  await transport.subscribe(subscription);
  const isHandled = async () => (await transport.readLag('group', ['topic']))[0]?.events === 0;
  await waitUntil(isHandled, { what: 'the consumer' });
  expect(await scrapeValues('tollgate_events_consumed_total')).toEqual([{ ...labels, value: 2 }]);
  expect(await scrapeValues('tollgate_dead_letters_total')).toEqual([{ ...labels, value: 1 }]);
  await relay.stop();
  await transport.stop();
  await pool.query(`DROP SCHEMA ${own} CASCADE`);
});

it('reads outbox and lag through an index, however long the tables are', async () => {
  const { pool, schema, url } = database;
  const own = `${schema}_plan`;
  const transport = createEmbeddedTransport({ url, schema: own, logger: silentLogger });
  await transport.start();
  const names = logNames(own);
  await pool.query(`
    INSERT INTO outbox (id, topic, key, type, payload, published_at)
    SELECT gen_random_uuid(), 't', 'k', 't', '', CASE WHEN n % 100 > 0 THEN now() END FROM generate_series(1, 50000) AS n;
    INSERT INTO ${names.log} (id, topic, source, key, type, payload, occurred_at)
    SELECT gen_random_uuid(), 'topic-' || n % 5, '/s', 'k', 't', '', now() FROM generate_series(1, 50000) AS n;
    ANALYZE outbox; ANALYZE ${names.log}`);
  const explainQuery = (sql: string, values: unknown[] = [], settings = 'SELECT 1') =>
    withTransaction(pool, async (tx) => {
      await tx.query(settings);
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
  expect(await explainQuery(OUTBOX_HEAD_SQL)).toMatch(/Index (Only )?Scan using outbox_unpublished/);
  const mark = { seqs: [100n, 200n, 300n], holder: randomUUID(), epoch: 1n };
  expect(await explainStatement(pool, (db) => markOutboxPublished(db, mark))).toMatchObject({
    indexes: expect.arrayContaining(['outbox_unpublished']),
    rowsRead: 0,
  });
  const plan = await explainQuery(lagSql(names), ['group', ['topic-1']], LAG_SETTINGS);
  expect(plan).toMatch(/Index (Only )?Scan using log_pkey/);
  expect(plan).not.toMatch(/Sort/);
  await transport.stop();
  await pool.query(`DROP SCHEMA ${own} CASCADE`);
});
