import type { Queryable } from '@tollgate/postgres';
import type { ListPlace } from '../../domain/reports/list-cursor.js';
import type { RequestEntry } from '../../domain/reports/request-entry.js';
import { LISTED, SELECTED } from './request-columns.js';
import { type RequestFilter, StatementValues, toCondition } from './request-filter.js';

/** Returns at most `limit` requests after a place in the list, newest first. */
export async function listRequests(
  db: Queryable,
  filter: RequestFilter,
  page: { limit: number; after?: ListPlace | undefined },
): Promise<RequestEntry[]> {
  const sql = new StatementValues();
  const condition = toCondition(filter, sql);
  const { after } = page;
  const place = after ? `AND (r.at, r.id) < (${sql.add(after.at)}, ${sql.add(after.id)}::uuid)` : '';
  const { rows } = await db.query<RequestEntry>(
    `SELECT ${LISTED} FROM requests r WHERE ${condition} ${place}
      ORDER BY r.at DESC, r.id DESC LIMIT ${sql.add(page.limit)}`,
    sql.values,
  );
  return rows;
}

export async function findRequest(db: Queryable, projectId: string, id: string): Promise<RequestEntry | undefined> {
  const { rows } = await db.query<RequestEntry>(
    `SELECT ${SELECTED} FROM requests r WHERE r.id = $1 AND r.project_id = $2 LIMIT 1`,
    [id, projectId],
  );
  return rows[0];
}
