import type { Queryable } from '@tollgate/postgres';

/** `closing` waits for earlier transactions, `transfers` and `balances` are summed in chunks, `sealed` never changes. */
export type MonthState = 'closing' | 'transfers' | 'balances' | 'sealed';

export interface JournalMonth {
  /** YYYY-MM-DD, the first day. */
  month: string;
  after_id: bigint;
  last_id: bigint;
  state: MonthState;
  position: bigint;
  transfers: bigint;
  transfers_hash: string;
  balances: bigint;
  balances_hash: string;
  /** Hex; null until the month is sealed. */
  seal: string | null;
  previous_seal: string | null;
  archived_at: Date | null;
  deleted_to: bigint | null;
}

const COLUMNS = `to_char(month, 'YYYY-MM-DD') AS month, after_id, last_id, state, position, transfers,
  encode(transfers_hash, 'hex') AS transfers_hash, balances, encode(balances_hash, 'hex') AS balances_hash,
  encode(seal, 'hex') AS seal, archived_at, deleted_to,
  (SELECT encode(p.seal, 'hex') FROM journal_months p WHERE p.month < m.month ORDER BY p.month DESC LIMIT 1) AS previous_seal`;

/** Returns all months, oldest first. */
export async function readMonths(db: Queryable): Promise<JournalMonth[]> {
  return (await db.query<JournalMonth>(`SELECT ${COLUMNS} FROM journal_months m ORDER BY m.month`)).rows;
}

export async function findMonth(db: Queryable, month: string): Promise<JournalMonth | undefined> {
  return (await db.query<JournalMonth>(`SELECT ${COLUMNS} FROM journal_months m WHERE m.month = $1`, [month])).rows[0];
}

export async function findLastMonth(db: Queryable): Promise<JournalMonth | undefined> {
  const { rows } = await db.query<JournalMonth>(
    `SELECT ${COLUMNS} FROM journal_months m ORDER BY m.month DESC LIMIT 1`,
  );
  return rows[0];
}

/** Locks a month that is not sealed. Returns undefined if another replica has locked it. */
export async function lockMonth(tx: Queryable, month: string): Promise<JournalMonth | undefined> {
  const { rows } = await tx.query<JournalMonth>(
    `SELECT ${COLUMNS} FROM journal_months m WHERE m.month = $1 AND m.state <> 'sealed' FOR UPDATE SKIP LOCKED`,
    [month],
  );
  return rows[0];
}

/** Returns the month after `last`, or that of the first transfer, if it ended at least `lagMs` ago on the database's clock. */
export async function findClosableMonth(
  db: Queryable,
  last: string | undefined,
  lagMs: number,
): Promise<{ month: string; end: Date } | undefined> {
  const { rows } = await db.query<{ month: string; end: Date }>(
    `WITH next AS (SELECT coalesce($1::date + interval '1 month',
         (SELECT date_trunc('month', occurred_at AT TIME ZONE 'UTC') FROM transfers ORDER BY id LIMIT 1)) AS month)
     SELECT to_char(month, 'YYYY-MM-DD') AS month, (month + interval '1 month') AT TIME ZONE 'UTC' AS "end" FROM next
     WHERE (month + interval '1 month') AT TIME ZONE 'UTC' + $2 * interval '1 ms' <= now()`,
    [last ?? null, lagMs],
  );
  return rows[0];
}

/** Each step halves the range of ids, and ids are bigint. */
const STEPS_MAX = 64;

/**
 * Returns the last transfer before `end`. Ids follow the time of the booking except for concurrent transactions, so the
 * border is found by bisection: transfers around it may belong to either month, and the stored id decides.
 */
export async function findLastTransfer(db: Queryable, afterId: bigint, end: Date): Promise<bigint> {
  const newest = await db.query<{ id: bigint }>('SELECT id FROM transfers ORDER BY id DESC LIMIT 1');
  let low = afterId;
  let high = newest.rows[0]?.id ?? afterId;
  for (let step = 0; step < STEPS_MAX && low < high; step++) {
    const middle = low + (high - low + 1n) / 2n;
    const { rows } = await db.query<{ id: bigint; is_before: boolean }>(
      'SELECT id, occurred_at < $2 AS is_before FROM transfers WHERE id >= $1 ORDER BY id LIMIT 1',
      [middle, end],
    );
    const found = rows[0];
    if (found && found.id <= high && found.is_before) low = found.id;
    else high = middle - 1n;
  }
  return low;
}

/** Transactions that may write to the journal. A writer has this lock before it draws an id, and keeps it until it ends. */
const WRITERS = `SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND relation = 'transfers'::regclass
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND mode = 'RowExclusiveLock'`;

/** Stores a month's range and the transactions to wait for. Does nothing if another replica has closed the month. */
export async function insertMonth(db: Queryable, month: string, afterId: bigint, lastId: bigint): Promise<void> {
  await db.query(
    `INSERT INTO journal_months (month, after_id, last_id, position, writers) VALUES ($1, $2, $3, $2, ARRAY(${WRITERS}))
     ON CONFLICT (month) DO NOTHING`,
    [month, afterId, lastId],
  );
}

/** Ends `closing` once no transaction can add a transfer to the range any more. Returns false if one still can. */
export async function passWriters(db: Queryable, month: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE journal_months SET state = 'transfers' WHERE month = $1 AND state = 'closing'
       AND NOT EXISTS (SELECT 1 FROM (${WRITERS}) w WHERE w.virtualtransaction = ANY (writers))`,
    [month],
  );
  return rowCount === 1;
}

export async function setArchived(db: Queryable, month: string): Promise<void> {
  await db.query(`UPDATE journal_months SET archived_at = coalesce(archived_at, now()) WHERE month = $1`, [month]);
}
