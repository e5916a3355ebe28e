import type { Queryable } from '@tollgate/postgres';
import type { ReaderEvent } from '../../domain/run/run-event.js';
import * as sql from '../gen/background/background-events.js';
import type { LeasedBackground } from './background-queue.js';

/** Limits a page. Its first row is always part of it. */
const PAGE_ROWS = 100;
const PAGE_BYTES = 1024 * 1024;

/**
 * Appends events of a leased response, which follow its event `after`. Returns false when the lease was lost, or another event is the last
 * one: then nothing has changed.
 */
export async function appendBackgroundEvents(
  db: Queryable,
  { id, epoch }: LeasedBackground,
  after: number,
  events: readonly ReaderEvent[],
): Promise<boolean> {
  const last = events.at(-1)!.seq;
  return (await sql.appendEvents(db, { id, epoch, after, last, events: toLines(events) })) === 1;
}

/** Inserts events of a response whose row this transaction has inserted or ended. */
export async function insertBackgroundEvents(tx: Queryable, id: string, events: readonly ReaderEvent[]): Promise<void> {
  await sql.insertEvents(tx, { id, last: events.at(-1)!.seq, events: toLines(events) });
}

/** Returns the next events after a sequence number, and whether more may follow now. */
export async function readBackgroundEvents(
  db: Queryable,
  id: string,
  after: number,
): Promise<{ events: ReaderEvent[]; mayHaveMore: boolean }> {
  const rows = await sql.readEventPage(db, { id, after, bytes: PAGE_BYTES });
  const bytes = rows.reduce((sum, { events }) => sum + Buffer.byteLength(events), 0);
  const events = rows.flatMap((row) => row.events.split('\n').map(parseEvent)).filter(({ seq }) => seq > after);
  return { events, mayHaveMore: rows.length === PAGE_ROWS || bytes >= PAGE_BYTES };
}

/** Deletes the events of the oldest ended responses of a project that exceed its bound, of up to `limit` responses. */
export async function pruneBackgroundEvents(
  db: Queryable,
  projectId: string,
  bytesMax: number,
  limit: number,
): Promise<void> {
  await sql.pruneEvents(db, { projectId, bytesMax, limit });
}

const toLines = (events: readonly ReaderEvent[]) => events.map(({ json }) => json).join('\n');

function parseEvent(json: string): ReaderEvent {
  const { type, sequence_number: seq } = JSON.parse(json) as { type: string; sequence_number: number };
  return { seq, type, json };
}
