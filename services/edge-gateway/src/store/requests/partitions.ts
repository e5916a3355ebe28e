import { type Queryable, withTransaction } from '@tollgate/postgres';
import type pg from 'pg';
import { deleteRollups } from './rollups/progress.js';

const DAY_MS = 86_400_000;
const NAME = /^requests_(\d{4})(\d{2})(\d{2})$/;
/** Readers and writers of the table wait behind a drop that waits for a lock. */
const DROP_LOCK_TIMEOUT_MS = 2_000;

/** The first moment of a day, UTC, in milliseconds. */
export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** Adds the partition of the day that starts at `dayMs`. Does nothing if it exists. */
export async function addDay(pool: pg.Pool, dayMs: number): Promise<void> {
  const name = `requests_${toDate(dayMs).replaceAll('-', '')}`;
  await withTransaction(pool, async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.requests', 0))`);
    const { rows } = await tx.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
    if (rows[0]?.exists) return;
    // Attaching a table does not block readers and writers of the others; creating it as a partition would.
    await tx.query(`CREATE TABLE ${name} (LIKE requests INCLUDING ALL)`);
    await tx.query(
      `ALTER TABLE requests ATTACH PARTITION ${name}
       FOR VALUES FROM ('${toDate(dayMs)}T00:00:00Z') TO ('${toDate(dayMs + DAY_MS)}T00:00:00Z')`,
    );
  });
}

/** Drops up to `limit` days that ended before `beforeMs`, the oldest first, and returns how many. */
export async function dropDays(pool: pg.Pool, beforeMs: number, limit: number): Promise<number> {
  const past = (await listDays(pool)).filter(({ dayMs }) => dayMs + DAY_MS <= beforeMs).slice(0, limit);
  for (const { name, dayMs } of past) {
    await withTransaction(pool, async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${DROP_LOCK_TIMEOUT_MS}`);
      await tx.query(`DROP TABLE IF EXISTS ${name}`);
      await deleteRollups(tx, new Date(dayMs + DAY_MS));
    });
  }
  return past.length;
}

/** Returns the days that have a partition, the oldest first. */
export async function listDays(db: Queryable): Promise<{ name: string; dayMs: number }[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'requests'::regclass ORDER BY 1`,
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = NAME.exec(name) ?? [];
    return day === undefined ? [] : [{ name, dayMs: Date.UTC(Number(year), Number(month) - 1, Number(day)) }];
  });
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
