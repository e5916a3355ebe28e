import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createPool,
  QUEUE_SESSION_SETTINGS,
  type Queryable,
  type TestDatabase,
  type Tx,
  testDatabase,
} from '@tollgate/postgres';
import type { EventHead, WebhookEvent } from '../domain/webhooks/webhook-event.js';
import { queueDeliveries, selectWanted } from './delivery-queues.js';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  pool = createPool({ url: database.url, schema: database.schema, settings: QUEUE_SESSION_SETTINGS });
});
afterAll(async () => {
  await pool?.end();
  await database.drop();
});

interface Statement {
  text: string;
  values: unknown[];
}

async function readStatement(run: (db: Tx) => Promise<unknown>): Promise<Statement> {
  let statement: Statement | undefined;
  const query = async (asked: Statement) => {
    statement = asked;
    return { rows: [{ queued: 0 }] };
  };
  await run({ query } as unknown as Queryable as Tx);
  if (!statement) throw new Error('nothing was asked');
  return statement;
}

/** Returns the lines of the plan in a session of the queue. */
async function explain({ text, values }: Statement): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query(`PREPARE planned AS ${text}`);
    const plan = await client.query(`EXPLAIN EXECUTE planned(${values.map(() => "'{}'").join(', ')})`);
    await client.query('DEALLOCATE planned');
    return plan.rows.map((row) => String(row['QUERY PLAN']).trim());
  } finally {
    client.release();
  }
}

it('compares no event with every delivery: the cost of a batch grows with its size, not with its square', async () => {
  const lines = await explain(await readStatement((tx) => queueDeliveries(tx, [])));
  // A project's webhooks are found by an index, and the only filters of a join are those of their events.
  expect(lines.some((line) => line.includes('Index Scan using webhooks_project_id_created_at_id_idx'))).toBe(true);
  const joins = lines.filter((line) => line.startsWith('Join Filter'));
  expect(joins.filter((line) => !line.includes('event_types'))).toEqual([]);
  expect(lines.some((line) => line.includes('hashed SubPlan'))).toBe(true);
});

it('looks up the webhooks of the projects alone', async () => {
  const lines = await explain(await readStatement((tx) => selectWanted(tx, [] as EventHead[])));
  expect(lines.filter((line) => line.includes('Seq Scan on webhooks'))).toEqual([]);
});

it('stores the events that have a target, and queues one delivery for each endpoint', async () => {
  const projectId = randomUUID();
  for (const types of [['a'], ['a', 'b']]) {
    await pool.query(
      `INSERT INTO webhooks (id, project_id, endpoint_url, secret_key_id, secret_sealed, event_types, enabled, signature_form, retry_schedule)
       SELECT $1, $2, 'http://127.0.0.1:9/', 'k', ''::bytea, $3, true, 'body', 'standard'`,
      [randomUUID(), projectId, types],
    );
  }
  const events = ['a', 'b', 'c'].map((type) => ({
    id: randomUUID(),
    projectId,
    type,
    occurredAt: new Date(),
    data: {},
  })) as unknown as WebhookEvent[];
  const client = await pool.connect();
  try {
    expect(await queueDeliveries(client as unknown as Tx, events)).toBe(3);
  } finally {
    client.release();
  }
  const { rows } = await pool.query('SELECT event_type FROM webhook_events WHERE project_id = $1 ORDER BY 1', [
    projectId,
  ]);
  expect(rows.map((row) => row.event_type)).toEqual(['a', 'b']);
});
