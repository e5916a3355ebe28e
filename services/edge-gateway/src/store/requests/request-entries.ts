import type { Queryable } from '@tollgate/postgres';
import type { RequestEntry } from '../../domain/reports/request-entry.js';
import { COLUMN_NAMES, REPLACED, SENT, SENT_ENTRIES } from './request-columns.js';

const insertSql = `INSERT INTO requests (${COLUMN_NAMES})
  SELECT ${COLUMN_NAMES} FROM ${SENT_ENTRIES}
  ON CONFLICT (id, at) DO NOTHING`;

const replaceSql = `UPDATE requests r SET ${REPLACED}
  FROM ${SENT_ENTRIES}
  WHERE r.id = e.id AND r.at <= e.at AND r.at >= $${SENT.parameterCount + 1}`;

/** Stores entries in one statement. Entries that are stored already stay as they are. */
export async function insertRequests(db: Queryable, entries: readonly RequestEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.query({ name: 'requests.insert', text: insertSql, values: SENT.encode(entries) });
}

/** Replaces the figures of entries that were stored since `since`; they keep their place in lists. */
export async function replaceRequests(db: Queryable, entries: readonly RequestEntry[], since: Date): Promise<void> {
  if (entries.length === 0) return;
  await db.query({ name: 'requests.replace', text: replaceSql, values: [...SENT.encode(entries), since] });
}
