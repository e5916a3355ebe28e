import { randomUUID } from 'node:crypto';
import type { Tx } from '@tollgate/postgres';
import { backgroundLimits } from '../../domain/background/background-limits.js';
import { toVisit, type Visit, walkAccounts, walkCallers } from '../queues/walk.js';
import type { BackgroundItem, BackgroundLease } from './background-queue.js';

interface ClaimedRow {
  id: string;
  lease_epoch: number;
  principal: Buffer;
  traceparent: string | null;
  options: string;
  bytes: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  waits: number;
  remaining_ms: number;
  is_streamed: boolean;
  last_event: number;
  event_bytes: number;
}

/** Bounds of the work in progress after a claim. Bytes are those of large requests. */
export interface ClaimBounds {
  /** In this process: further responses, and further bytes. */
  slots: number;
  bytes: number;
  /** Of one account, in all processes. */
  accountConcurrency: number;
  accountBytes: number;
  /** Of one caller, in all processes. A large request that is alone may exceed it. */
  callerConcurrency: number;
  callerBytes: number;
  /** Requests up to this size are not large. */
  smallBytes: number;
  /** Size of the largest request: bytes beyond it are not in memory while the response runs. */
  requestBytes: number;
}

const CLAIMABLE = 'ended_at IS NULL AND lease_until IS NULL';
const RUNNING = 'ended_at IS NULL AND lease_until IS NOT NULL';
const CALLER = 'coalesce(customer_id, project_id)';
const LARGE = 'CASE WHEN bytes <= $9 THEN 0 ELSE least(bytes, $10) END';
/** An expression of the index, so that large requests that wait for their share are not read before the small ones. */
const SIZE = `(bytes > ${backgroundLimits.smallBytes})::int`;

/** Counts at most `$2` responses in progress: an account with that many is full. */
const VISIT = walkAccounts({
  table: 'background_responses',
  key: 'account_id',
  columns: ['due_at'],
  where: CLAIMABLE,
  isOpen: `next.due_at <= now() AND $2 > (SELECT count(*) FROM (
    SELECT FROM background_responses r WHERE r.account_id = next.account_id AND ${RUNNING} LIMIT $2) AS running)`,
  lockClass: 7_223_062,
});

/** Returns SQL for the oldest due responses of a caller, small or large ones. The order is that of an index. */
function oldest(account: string, caller: string, size: 0 | 1, columns: string, limit: string): string {
  return `(SELECT ${columns} FROM background_responses
     WHERE account_id = ${account} AND ${CALLER} = ${caller} AND ${CLAIMABLE} AND ${SIZE} = ${size} AND due_at <= now()
     ORDER BY due_at, id LIMIT ${limit})`;
}

/** Not EXISTS, which PostgreSQL may answer from a hash table of all that is due. */
const firstDue = (size: 0 | 1) => oldest('account.account_id', 'walk.caller', size, 'due_at', '1');
const CALLERS = walkCallers(
  {
    table: 'background_responses',
    key: CALLER,
    where: CLAIMABLE,
    isDue: `coalesce(${firstDue(0)}, ${firstDue(1)}) IS NOT NULL`,
  },
  '$12::uuid',
);
const ofCaller = (size: 0 | 1) =>
  oldest('c.account_id', 'c.caller', size, `id, due_at, ${LARGE} AS large`, '$6 - c.count');

/**
 * Lost leases come first, then due responses: those of the callers with the fewest in progress, and of the accounts with the fewest in
 * progress. A response that must wait for its share of bytes takes no place of the others.
 */
const CLAIM = `
  WITH account AS (
    SELECT account.account_id, running.*
    FROM unnest($11::uuid[]) AS account (account_id) CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, coalesce(sum(${LARGE}), 0) AS large
      FROM background_responses r WHERE r.account_id = account.account_id AND ${RUNNING}) AS running
  ), caller AS (
    SELECT account.account_id, c.caller, running.*
    FROM account CROSS JOIN ${CALLERS}
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, coalesce(sum(${LARGE}), 0) AS large
      FROM background_responses WHERE account_id = account.account_id AND ${CALLER} = c.caller AND ${RUNNING}) AS running
    WHERE running.count < $6
  ), ready AS (
    SELECT c.account_id, d.id, d.large, c.count + row_number() OVER (PARTITION BY c.caller ORDER BY d.due_at, d.id) AS rank
    FROM caller c CROSS JOIN LATERAL (
      SELECT *, c.large + sum(large) OVER (ORDER BY due_at, id) AS total FROM (${ofCaller(0)} UNION ALL ${ofCaller(1)}) AS oldest) AS d
    WHERE d.large = 0 OR d.total <= $8 OR d.total = d.large
  ), shared AS (
    SELECT r.account_id, r.id, r.large, r.rank, account.count,
      account.large + sum(r.large) OVER (PARTITION BY r.account_id ORDER BY r.rank, r.id) AS total
    FROM ready r JOIN account USING (account_id) WHERE r.rank <= $6
  ), due AS (
    SELECT id, large, count + row_number() OVER (PARTITION BY account_id ORDER BY rank, id) AS turn
    FROM shared WHERE large = 0 OR total <= $7
  ), expired AS (
    SELECT id, ${LARGE} AS large, 0 AS turn FROM background_responses
    WHERE ended_at IS NULL AND lease_until < now() ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED
  ), queue AS (
    SELECT * FROM expired UNION ALL SELECT * FROM due WHERE turn <= $4
  ), picked AS (
    SELECT id FROM (SELECT *, sum(large) OVER (ORDER BY turn, id) AS total FROM queue) AS q
    WHERE large = 0 OR total <= $5 ORDER BY turn, id LIMIT $3
  ), locked AS (
    SELECT r.id FROM picked JOIN background_responses r USING (id)
    WHERE r.ended_at IS NULL AND (r.lease_until IS NULL OR r.lease_until < now()) FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE background_responses r
  SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
      attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
      superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM locked WHERE r.id = locked.id
  RETURNING r.id, r.lease_epoch, r.principal, r.traceparent, r.options, r.bytes, r.attempt, r.superseded_attempt, r.lost, r.tries, r.waits,
    (extract(epoch FROM r.expires_at - now()) * 1000)::int AS remaining_ms, r.is_streamed, r.last_event, r.event_bytes`;

/**
 * Leases responses to this process, within the bounds: lost leases of all accounts, and due responses of the next accounts of the ring
 * after `after`. The lock of an account makes its bounds exact, and is taken before they are read.
 */
export async function claimBackground(
  tx: Tx,
  { owner, leaseMs }: BackgroundLease,
  bounds: ClaimBounds,
  after: string,
): Promise<Visit & { items: BackgroundItem[] }> {
  const { slots, bytes, accountConcurrency, accountBytes, callerConcurrency, callerBytes } = bounds;
  const { smallBytes, requestBytes } = bounds;
  const visited = await tx.query<{ accountId: string; isLocked: boolean | null }>({
    name: 'background_responses.visit',
    text: VISIT,
    values: [after, accountConcurrency],
  });
  const visit = toVisit(visited.rows);
  const account = [accountConcurrency, bytes, callerConcurrency, accountBytes, callerBytes];
  const values = [owner, leaseMs, slots, ...account, smallBytes, requestBytes, visit.accountIds, randomUUID()];
  const result = await tx.query<ClaimedRow>({ name: 'background_responses.claim', text: CLAIM, values });
  return { ...visit, items: result.rows.map(toItem) };
}

function toItem(row: ClaimedRow): BackgroundItem {
  return {
    id: row.id,
    epoch: row.lease_epoch,
    principal: row.principal,
    traceparent: row.traceparent ?? undefined,
    options: row.options,
    bytes: row.bytes,
    attempt: row.attempt,
    supersededAttempt: row.superseded_attempt ?? undefined,
    lost: row.lost,
    tries: row.tries,
    waits: row.waits,
    remainingMs: row.remaining_ms,
    isStreamed: row.is_streamed,
    lastEvent: row.last_event,
    eventBytes: row.event_bytes,
  };
}
