import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createClient,
  type DedicatedConnection,
  QUEUE_SESSION_SETTINGS,
  type Queryable,
  type TestDatabase,
  testDatabase,
} from '@tollgate/postgres';
import { growHolds, holdAllOrNothing, insertHolds } from './open-holds.js';
import { settleAndHold } from './settle-and-hold.js';
import { settleAllOrNothing } from './settle-holds.js';

// The plans are made once per connection, often while the tables are empty, and stay when these have millions of rows.

let database: TestDatabase;
let writer: DedicatedConnection;
beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
  writer = await createClient({ url: database.url, schema: database.schema, settings: QUEUE_SESSION_SETTINGS });
});
afterAll(async () => {
  await writer.end();
  await database.drop();
});

const STATEMENTS: Record<string, (db: Queryable) => Promise<unknown>> = {
  'of admissions': (db) => holdAllOrNothing(db, []),
  'of settlements': (db) => settleAllOrNothing(db, []),
  'of both': (db) => settleAndHold(db, [], []),
  'of extensions': (db) => growHolds(db, [], new Map(), 0),
  'of held sums': (db) => insertHolds(db, []),
};

/** Returns the lines of the plans that prepared statements get. */
async function explain(run: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const query = async (statement: { text: string }) => {
    texts.push(statement.text);
    return { rows: [] };
  };
  await run({ query } as unknown as Queryable);
  const lines: string[] = [];
  for (const text of texts) {
    const { rows } = await writer.client.query<Record<string, string>>(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`);
    lines.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
  }
  return lines;
}

const FEW_ROWS = `
  INSERT INTO accounts (kind, ref_id, owner_account_id) SELECT 'owner', gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 5);
  INSERT INTO holds (request_id, account_ids, amounts, expires_at, owner_account_id, terms, model_id)
    SELECT gen_random_uuid(), '{}', '{}', now(), gen_random_uuid(), '{}', '' FROM generate_series(1, 5);
  ANALYZE`;

it.each(['empty', 'small'])('finds holds and accounts by their keys if the tables are %s', async (size) => {
  if (size === 'small') await database.pool.query(FEW_ROWS);
  for (const [name, run] of Object.entries(STATEMENTS)) {
    const plan = await explain(run);
    const scans = plan.flatMap((line, i) =>
      /Scan.* on (accounts|holds)\b/.test(line) ? [`${line} ${plan[i + 1]}`] : [],
    );
    expect([name, scans.length > 0]).toEqual([name, true]);
    const others = scans.filter((scan) => !/ (Index|Recheck) Cond: \((id|request_id) = /.test(scan));
    expect([name, others]).toEqual([name, []]);
  }
});
