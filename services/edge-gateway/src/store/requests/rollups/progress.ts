import type { Queryable } from '@tollgate/postgres';
import { findProjectsOfDay } from '../../gen/requests/rollups/progress.js';

const HOUR = "interval '1 hour'";
const DAY = "interval '1 day'";

/** Past hours of a project whose rows have changed, all of one day. */
export interface MarkedDay {
  projectId: string;
  day: Date;
}

/** Returns whether this transaction alone may write sums; another replica is writing otherwise. */
export async function lockRollups(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ isLocked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.request_rollups', 0)) AS "isLocked"`,
  );
  return rows[0]?.isLocked === true;
}

/** Returns the start of the hour that was current `graceMs` ago, by the clock that the rows' triggers use. */
export async function readOpenHour(db: Queryable, graceMs: number): Promise<Date> {
  const { rows } = await db.query<{ hour: Date }>(
    `SELECT date_trunc('hour', clock_timestamp() - $1 * interval '1 millisecond', 'UTC') AS hour`,
    [graceMs],
  );
  return rows[0]!.hour;
}

/** Returns the id of a new transaction: all that began before have smaller ones. */
export async function takeHorizon(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ horizon: string }>('SELECT pg_current_xact_id()::text AS horizon');
  return rows[0]!.horizon;
}

/** Whether every transaction before the horizon has ended. */
export async function hasPassed(db: Queryable, horizon: string): Promise<boolean> {
  const { rows } = await db.query<{ hasPassed: boolean }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS "hasPassed"`,
    [horizon],
  );
  return rows[0]?.hasPassed === true;
}

/** Returns the newest of `days` with an hour before `openHour` that is not rolled up, and these hours. */
export async function findMissingHours(
  db: Queryable,
  days: readonly Date[],
  openHour: Date,
): Promise<{ day: Date; hours: Date[] } | undefined> {
  const { rows } = await db.query<{ day: Date; hours: Date[] }>(
    `SELECT d.day, array_agg(h.hour ORDER BY h.hour) AS hours
       FROM unnest($1::timestamptz[]) AS d(day), generate_series(d.day, d.day + ${DAY} - ${HOUR}, ${HOUR}) AS h(hour)
      WHERE h.hour < $2 AND NOT EXISTS (SELECT FROM request_rollups u WHERE u.span = 'hour' AND u.start = h.hour)
      GROUP BY d.day ORDER BY d.day DESC LIMIT 1`,
    [days, openHour],
  );
  return rows[0];
}

export async function insertRollups(tx: Queryable, span: 'hour' | 'day', starts: readonly Date[]): Promise<void> {
  await tx.query('INSERT INTO request_rollups (span, start) SELECT $1, unnest($2::timestamptz[])', [span, starts]);
}

export async function countHours(tx: Queryable, day: Date): Promise<number> {
  const { rows } = await tx.query<{ hours: number }>(
    `SELECT count(*)::int AS hours FROM request_rollups
      WHERE span = 'hour' AND start >= $1 AND start < $1::timestamptz + ${DAY}`,
    [day],
  );
  return rows[0]!.hours;
}

export async function isDayRolledUp(tx: Queryable, day: Date): Promise<boolean> {
  const { rowCount } = await tx.query(`SELECT FROM request_rollups WHERE span = 'day' AND start = $1`, [day]);
  return rowCount === 1;
}

/** Returns the projects with requests on a day: one step through the index for each. */
export async function listProjects(db: Queryable, day: Date): Promise<string[]> {
  return (await findProjectsOfDay(db, { day })).map(({ id }) => id);
}

/** Forgets the marks of hours that are about to be rolled up for the first time. */
export async function deleteMarks(tx: Queryable, hours: readonly Date[]): Promise<void> {
  await tx.query('DELETE FROM request_rollup_marks WHERE hour = ANY($1)', [hours]);
}

/** Returns up to `limit` projects and days with marks on hours that were rolled up. */
export async function listMarkedDays(db: Queryable, limit: number): Promise<MarkedDay[]> {
  const { rows } = await db.query<MarkedDay>(
    `SELECT DISTINCT m.project_id AS "projectId", date_trunc('day', m.hour, 'UTC') AS day
       FROM request_rollup_marks m JOIN request_rollups u ON u.span = 'hour' AND u.start = m.hour LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Takes the marks of a project's hours of a day that were rolled up. Rows that are marked later are summed again. */
export async function takeMarks(
  tx: Queryable,
  { projectId, day }: MarkedDay,
): Promise<{ hours: Date[]; customerIds: string[] }> {
  const { rows } = await tx.query<{ hours: Date[]; customerIds: string[] }>(
    `WITH taken AS (
       DELETE FROM request_rollup_marks m USING request_rollups u
        WHERE m.project_id = $1 AND m.hour >= $2 AND m.hour < $2::timestamptz + ${DAY} AND u.span = 'hour' AND u.start = m.hour
       RETURNING m.hour, m.customer_id)
     SELECT coalesce(array_agg(DISTINCT hour), '{}') AS hours, coalesce(array_agg(DISTINCT customer_id), '{}') AS "customerIds"
       FROM taken`,
    [projectId, day],
  );
  return rows[0]!;
}

/** Lets reports read rows again from days that ended before `before`, whose rows are dropped. */
export async function deleteRollups(tx: Queryable, before: Date): Promise<void> {
  await tx.query('DELETE FROM request_rollups WHERE start < $1', [before]);
}

/** Deletes at most `limit` rows per table of days before `before`. Returns whether more may remain. */
export async function deleteOldCells(db: Queryable, before: Date, limit: number): Promise<boolean> {
  let hasMore = false;
  for (const [table, column] of [
    ['request_hours', 'start'],
    ['request_days', 'start'],
    ['request_customer_days', 'start'],
    ['request_rollup_marks', 'hour'],
  ]) {
    const { rowCount } = await db.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    hasMore ||= rowCount === limit;
  }
  return hasMore;
}
