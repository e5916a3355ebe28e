import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createPool,
  type DedicatedConnection,
  explainStatements,
  type Pool,
  QUEUE_SESSION_SETTINGS,
  type Queryable,
  type TestDatabase,
  testDatabase,
} from '@tollgate/postgres';
import { HOLD_STATES, type Hold } from '../../domain/hold.js';
import type { Settlement } from '../../domain/settle-hold.js';
import { readHoldOutcomes } from '../gen/holds/hold-outcomes.js';
import { findReportedHold } from '../gen/reports/reported-hold.js';
import { recordProgress, recordProgressTogether } from './hold-progress.js';
import { correctHold } from './late-settlements.js';
import { findHolds, growHolds, holdAllOrNothing, insertHolds, lockHolds } from './open-holds.js';
import { addToRollup, settleAndHold } from './settle-and-hold.js';

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
  'of settlements': (db) => settleAndHold(db, [], []),
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
    SELECT gen_random_uuid(), '{}', '{}', now(), gen_random_uuid(), '{}', '' FROM generate_series(1, 5)`;

it.each(['empty', 'small'])('finds holds and accounts by their keys if the tables are %s', async (size) => {
  if (size === 'small') {
    await database.pool.query(FEW_ROWS);
    await database.analyze();
  }
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

const ROWS = 20_000;
const MANY_ROWS = `
  INSERT INTO accounts (kind, ref_id, owner_account_id, held)
    SELECT 'key', gen_random_uuid(), gen_random_uuid(), 100 FROM generate_series(1, ${ROWS});
  INSERT INTO holds (request_id, state, settled_at, account_ids, amounts, expires_at, owner_account_id, terms, model_id)
    SELECT gen_random_uuid(), i % 2, CASE WHEN i % 2 = 1 THEN now() END, '{}', '{}', now(), gen_random_uuid(), '{}', ''
    FROM generate_series(1, ${ROWS}) AS i;
  INSERT INTO transfers (debit_account, credit_account, amount, kind, cause)
    SELECT 1, 2, 1, 'key_spend', request_id FROM holds WHERE state = 1;
  INSERT INTO usage_rollups (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), now(), gen_random_uuid(), ''
    FROM generate_series(1, ${ROWS})`;

describe('beside 20,000 holds', () => {
  let session: Pool | undefined;
  let holds: Hold[];
  beforeAll(async () => {
    // One by one: the limit of an answer applies to each.
    for (const statement of MANY_ROWS.split(';')) await database.pool.query(statement);
    await database.analyze();
    session = createPool({ url: database.url, schema: database.schema, settings: QUEUE_SESSION_SETTINGS });
    const { rows } = await database.pool.query<{ id: string; owner: string; account: bigint }>(
      `SELECT h.request_id AS id, h.owner_account_id AS owner, a.id AS account
       FROM (SELECT *, row_number() OVER () AS n FROM holds WHERE state = 0 LIMIT 3) h
       JOIN (SELECT *, row_number() OVER () AS n FROM accounts WHERE held > 0 LIMIT 3) a USING (n)`,
    );
    holds = rows.map(({ id, owner, account }) => toHold(id, owner, account));
  });
  afterAll(() => session?.end());

  const ids = () => holds.map(({ holdId }) => holdId);
  const isAt = { inputTokens: 1n, outputTokens: 1n };
  const statements: [string, (db: Queryable) => Promise<unknown>, pool?: () => Pool][] = [
    ['admissions', (db) => holdAllOrNothing(db, holds.map(toNew))],
    ['settlements with admissions', (db) => settleAndHold(db, holds.map(toWrite), holds.map(toNew))],
    ['settlements', (db) => settleAndHold(db, holds.map(toWrite), [])],
    ['extensions', (db) => growHolds(db, holds, new Map([[holds[0]!.legs[0]!.account, 1n]]), 1)],
    ['admissions one by one', (db) => insertHolds(db, holds.map(toNew))],
    ['reads by id', (db) => findHolds(db, ids())],
    ['locks', (db) => lockHolds(db, ids())],
    ['late settlements', (db) => correctHold(db, ids()[0]!, SETTLEMENT)],
    ['corrections of roll-ups', (db) => addToRollup(db, holds[0]!, SETTLEMENT, 1n)],
    ['progress', (db) => recordProgress(db, { holdId: ids()[0]!, ...isAt }, 1), () => database.pool],
    [
      'progress of many holds',
      (db) =>
        recordProgressTogether(
          db,
          ids().map((holdId) => ({ holdId, ...isAt })),
          1,
        ),
      () => database.pool,
    ],
    [
      'outcomes',
      (db) => readHoldOutcomes(db, { holdIds: ids(), ownerAccountId: holds[0]!.ownerAccountId }),
      () => database.pool,
    ],
    [
      'reports of a hold',
      (db) => findReportedHold(db, { holdId: ids()[0]!, ownerAccountId: holds[0]!.ownerAccountId }),
      () => database.pool,
    ],
  ];

  it.each(statements)('reads only the rows of the batch: %s', async (_, run, pool = () => session!) => {
    const reads = await explainStatements(pool(), run);
    expect(reads.length).toBeGreaterThan(0);
    for (const read of reads) {
      expect([read.sequentialScans, read.plan]).toEqual([[], read.plan]);
      // Each hold of the batch and its account, at most a few times.
      expect([read.rowsRead <= 40, read.plan]).toEqual([true, read.plan]);
    }
  });
});

const USED = { inputTokens: 1n, outputTokens: 1n, images: 0n };
const SETTLEMENT: Settlement = {
  state: HOLD_STATES.posted,
  used: USED,
  posted: [1n],
  transfers: [],
  customerMicrocents: 1n,
  customerOverrunMicrocents: 0n,
  ownerMicrocents: 1n,
  overrunMicrocents: 0n,
  unreconciledMicrocents: 0n,
};

function toHold(holdId: string, ownerAccountId: string, account: bigint): Hold {
  const price = { inputPerMillionCents: 1n, outputPerMillionCents: 1n, perImageCents: 1n };
  const terms = {
    requestId: 'r',
    projectId: randomUUID(),
    customerId: randomUUID(),
    keyId: undefined,
    modelId: 'm',
    customerPrice: undefined,
    providerPrice: price,
    windowStartMs: 0,
  };
  return {
    holdId,
    ownerAccountId,
    revision: 0,
    terms,
    legs: [{ role: 'key', account, amount: 1n }],
  } as unknown as Hold;
}

function toNew(hold: Hold) {
  return { hold: { ...hold, holdId: randomUUID() }, ttlMs: 1_000, freeBefore: [1n] };
}

function toWrite(hold: Hold) {
  const transfers = [{ debit: hold.legs[0]!.account, credit: 1n, amount: 1n, kind: 'key_spend' }];
  return { hold, settlement: { ...SETTLEMENT, transfers }, events: [] };
}
