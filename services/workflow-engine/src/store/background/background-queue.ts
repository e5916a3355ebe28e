import type { Queryable } from '@tollgate/postgres';
import type { StreamPlace } from '../../domain/background/background-events.js';
import { backgroundLimits } from '../../domain/background/background-limits.js';
import { type ClaimedRequest, createRequestStore, type RequestStore } from '../queues/queued-requests.js';

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

interface BackgroundClaimRow {
  id: string;
  options: string;
  remaining_ms: number;
  is_streamed: boolean;
  last_event: number;
  event_bytes: number;
}

const CLAIMABLE = 'ended_at IS NULL AND lease_until IS NULL';
const CALLER = 'coalesce(customer_id, project_id)';
/** An expression of the index, so that large requests that wait for their share are not read before the small ones. */
const SIZE = `(bytes > ${backgroundLimits.smallBytes})::int`;

/** Returns SQL for the oldest due responses of a caller, small or large ones. The order is that of an index. */
function oldest(account: string, caller: string, size: 0 | 1, columns: string, limit: string): string {
  return `(SELECT ${columns} FROM background_responses r
     WHERE account_id = ${account} AND ${CALLER} = ${caller} AND ${CLAIMABLE} AND ${SIZE} = ${size} AND due_at <= now()
     ORDER BY due_at, id LIMIT ${limit})`;
}

/** Not EXISTS, which PostgreSQL may answer from a hash table of all that is due. */
const firstDue = (size: 0 | 1) => oldest('account.account_id', 'walk.caller', size, 'due_at', '1');

/** Background responses as requests. */
export const backgroundQueue: RequestStore<BackgroundItem> = createRequestStore<BackgroundClaimRow, BackgroundItem>({
  name: 'background_responses',
  key: [{ column: 'id', type: 'uuid' }],
  toKey: ({ id }) => [id],
  toItem: (row, request) => ({
    ...request,
    id: row.id,
    options: row.options,
    remainingMs: row.remaining_ms,
    isStreamed: row.is_streamed,
    lastEvent: row.last_event,
    eventBytes: row.event_bytes,
  }),
  unfinished: 'r.ended_at IS NULL',
  running: 'r.ended_at IS NULL AND r.lease_until IS NOT NULL',
  size: 'r.bytes',
  owner: '',
  caller: CALLER,
  accounts: { table: 'background_responses', columns: ['due_at'], where: CLAIMABLE, isOpen: 'next.due_at <= now()' },
  callers: {
    table: 'background_responses',
    key: CALLER,
    where: CLAIMABLE,
    isDue: `coalesce(${firstDue(0)}, ${firstDue(1)}) IS NOT NULL`,
  },
  oldest({ account, caller, weight, limit }) {
    const ofSize = (size: 0 | 1) => oldest(account, caller, size, `id, due_at, ${weight} AS weight`, limit);
    return `${ofSize(0)} UNION ALL ${ofSize(1)}`;
  },
  order: 'due_at, id',
  columns: [
    'r.principal',
    'r.traceparent',
    'r.options',
    '(extract(epoch FROM r.expires_at - now()) * 1000)::int AS remaining_ms',
    'r.is_streamed',
    'r.last_event',
    'r.event_bytes',
  ],
  dispatched: `status = 'in_progress'`,
  lockClass: 7_223_062,
});

const DUE_COUNTED_MAX = 10_000;

/** A response that waits for those of its account says nothing about the workers: only accounts without one in progress have an age. */
export const DUE_BACKGROUND = `
  SELECT count(*)::int AS count, coalesce(extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE is_first)), 0)::float AS "oldestSeconds"
  FROM (
    SELECT due_at, NOT EXISTS (
      SELECT 1 FROM background_responses b
      WHERE b.account_id = r.account_id AND b.ended_at IS NULL AND b.lease_until IS NOT NULL) AS is_first
    FROM background_responses r WHERE ended_at IS NULL AND lease_until IS NULL AND due_at <= now() LIMIT ${DUE_COUNTED_MAX}) AS due`;

/** Reads a bounded part of the index of due responses. */
export async function readDueBackground(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(DUE_BACKGROUND);
  return rows[0]!;
}

/** `$1` and `$2`: the response and the epoch of its lease. */
const HELD = 'id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL';

/** Ends a response. Returns its head and its last event; undefined when the lease was lost: then nothing has changed. */
export async function endBackground(
  db: Queryable,
  { id, epoch }: LeasedBackground,
  end: { status: 'completed' | 'failed'; answer: string | undefined; error: string | undefined },
): Promise<{ head: string; last_event: number } | undefined> {
  const result = await db.query<{ head: string; last_event: number }>({
    name: 'background_responses.end',
    text: `UPDATE background_responses
           SET status = $3, answer = $4, error = $5, ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL,
               head = CASE WHEN $3 = 'completed' THEN '{}' ELSE coalesce(ended_head, head) END, ended_head = NULL,
               bytes = CASE WHEN $3 = 'completed' THEN 0 ELSE octet_length(coalesce(ended_head, head)) END
                       + coalesce(octet_length($4::text), 0) + coalesce(octet_length($5::text), 0)
           WHERE ${HELD} RETURNING head, last_event`,
    values: [id, epoch, end.status, end.answer ?? null, end.error ?? null],
  });
  return result.rows[0];
}
