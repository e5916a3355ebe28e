import type { Queryable } from '@tollgate/postgres';
import type { RequestEntry } from '../../domain/reports/request-entry.js';
import { insertEntries, replaceEntries } from '../gen/requests/request-entries.js';

/** Stores entries in one statement. Entries that are stored already stay as they are. */
export async function insertRequests(db: Queryable, entries: readonly RequestEntry[]): Promise<void> {
  if (entries.length > 0) await insertEntries(db, { entries: entries.map(toRow) });
}

/** Replaces the figures of entries that were stored since `since`; they keep their place in lists. */
export async function replaceRequests(db: Queryable, entries: readonly RequestEntry[], since: Date): Promise<void> {
  if (entries.length > 0) await replaceEntries(db, { entries: entries.map(toRow), since });
}

function toRow(entry: RequestEntry) {
  return { ...entry, traceId: entry.traceId, detail: entry.detail ? JSON.stringify(entry.detail) : undefined };
}
