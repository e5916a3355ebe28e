import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import type { StreamPlace } from '../../domain/background/background-events.js';
import * as sql from '../gen/background/background-queue.js';
import * as claims from '../gen/background/claim-background.js';
import { type ClaimedRequest, type RequestStore, toRequest } from '../queues/queued-requests.js';
import { toAccountVisit } from '../queues/walk.js';

/** Class of the advisory locks of accounts whose responses are claimed. */
export const BACKGROUND_LOCK_CLASS = 7_223_062;

/** A response that this process has leased. */
export interface LeasedBackground {
  id: string;
  epoch: number;
}

/** A response to run. */
export interface BackgroundItem extends LeasedBackground, ClaimedRequest, StreamPlace {
  /** JSON. */
  options: string;
  /** Until its deadline. */
  remainingMs: number;
  isStreamed: boolean;
}

/** Background responses as requests. */
export const backgroundQueue: RequestStore<BackgroundItem> = {
  async claim(tx, lease, bounds, after) {
    const visit = toAccountVisit(await claims.visitBackgroundAccounts(tx, { ...bounds, after }));
    const accounts = { accountIds: visit.keys, from: randomUUID() };
    const due = visit.keys.length === 0 ? [] : await claims.findDueBackground(tx, { ...bounds, ...accounts });
    const rows = await claims.leaseBackground(tx, { ...lease, ...bounds, due });
    return { ...visit, items: rows.map(toItem) };
  },
  async extend(db, lease, items) {
    const held = { ids: items.map(({ id }) => id), epochs: items.map(({ epoch }) => epoch) };
    return new Set((await sql.extendBackground(db, { ...lease, ...held })).map(({ key }) => key));
  },
  readBody: async (db, item) => (await sql.readBackgroundBody(db, item))?.body ?? undefined,
  markDispatched: async (db, item) => (await sql.dispatchBackground(db, item)) === 1,
  putBack: (db, item, how) => sql.putBackBackground(db, { ...item, ...how }),
  toKey: ({ id }) => id,
};

function toItem(row: claims.LeaseBackgroundRow): BackgroundItem {
  const { id, options, remaining_ms: remainingMs, is_streamed: isStreamed } = row;
  return {
    ...toRequest(row),
    id,
    options,
    remainingMs,
    isStreamed,
    lastEvent: row.last_event,
    eventBytes: row.event_bytes,
  };
}

/** Reads a bounded part of the index of due responses. */
export async function readDueBackground(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  return (await sql.readDueBackground(db))!;
}

/** Ends a response. Returns its head and its last event; undefined when the lease was lost: then nothing has changed. */
export async function endBackground(
  db: Queryable,
  { id, epoch }: LeasedBackground,
  { status, answer, error }: { status: 'completed' | 'failed'; answer: string | undefined; error: string | undefined },
): Promise<{ head: string; last_event: number } | undefined> {
  return sql.endBackground(db, { id, epoch, status, answer: answer ?? null, error: error ?? null });
}
