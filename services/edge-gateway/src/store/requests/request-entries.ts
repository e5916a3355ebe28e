import type { Queryable } from '@tollgate/postgres';
import type { RequestEntry } from '../../domain/reports/request-entry.js';
import { COLUMN_NAMES, RECORD_FIELDS, RECORD_SET, REPLACED, toRecordSet } from './request-columns.js';

const insertSql = `INSERT INTO requests (${COLUMN_NAMES})
  SELECT ${RECORD_FIELDS} FROM json_to_recordset($1::json) AS ${RECORD_SET}
  ON CONFLICT (id, at) DO NOTHING`;

const replaceSql = `UPDATE requests r SET ${REPLACED}
  FROM json_to_recordset($1::json) AS ${RECORD_SET}
  WHERE r.id = e.id AND r.at <= e.at AND r.at >= $2`;

/** Stores entries in one statement. Entries that are stored already stay as they are. */
export async function insertRequests(db: Queryable, entries: readonly RequestEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.query({ name: 'requests.insert', text: insertSql, values: [toRecordSet(entries)] });
}

/** Replaces the figures of entries that were stored since `since`; they keep their place in lists. */
export async function replaceRequests(db: Queryable, entries: readonly RequestEntry[], since: Date): Promise<void> {
  if (entries.length === 0) return;
  await db.query({ name: 'requests.replace', text: replaceSql, values: [toRecordSet(entries), since] });
}
