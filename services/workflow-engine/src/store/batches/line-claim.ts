import { randomUUID } from 'node:crypto';
import type { BatchEndpoint } from '@tollgate/api/compatible';
import type { Tx } from '@tollgate/postgres';
import { toVisit, type Visit, walkAccounts, walkCallers } from '../queues/walk.js';
import type { LineItem, LineLease } from './batch-lines.js';

interface ClaimedRow {
  batch_id: string;
  line: number;
  lease_epoch: number;
  endpoint: BatchEndpoint;
  is_wanted: boolean;
  principal: Buffer;
  traceparent: string | null;
  bytes: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  waits: number;
}

/**
 * Lines are leased as long as those before them have fewer bytes, so the sum exceeds the bound by less than one line. The bounds of
 * an account and of its callers count in all processes together.
 */
export interface ClaimBounds {
  slots: number;
  accountConcurrency: number;
  callerConcurrency: number;
  bytes: number;
  accountBytes: number;
  callerBytes: number;
}

/** The batches of an account or of a caller that one claim visits: more than a project may have. */
const BATCHES_VISITED_MAX = 256;

const RUNNING = `ended_at IS NULL AND status = 'in_progress'`;
const CLAIMABLE = 'NOT is_done AND lease_until IS NULL';
const CALLER = 'coalesce(customer_id, project_id)';

/** Returns SQL that says whether the batches of an account, or those of one of its callers, have a due line. */
function hasDueLine(owner: string): string {
  return `EXISTS (
    SELECT FROM (SELECT batch_id FROM batches b WHERE ${owner} AND ${RUNNING} LIMIT ${BATCHES_VISITED_MAX}) AS b
    CROSS JOIN LATERAL (
      SELECT FROM batch_lines l WHERE l.batch_id = b.batch_id AND ${CLAIMABLE} AND l.due_at <= now() LIMIT 1) AS l)`;
}

/** Counts at most `$2` lines in progress: an account with that many is full. */
const VISIT = walkAccounts({
  table: 'batches',
  key: 'account_id',
  where: RUNNING,
  isOpen: `now() >= (SELECT min(due_at) FROM batch_lines l WHERE l.account_id = next.account_id AND ${CLAIMABLE})
    AND $2 > (SELECT count(*) FROM (
      SELECT FROM batch_lines l WHERE l.account_id = next.account_id AND l.lease_until IS NOT NULL LIMIT $2) AS leased)
    AND ${hasDueLine('b.account_id = next.account_id')}`,
  lockClass: 7_223_061,
});

const CALLERS = walkCallers(
  {
    table: 'batches',
    key: CALLER,
    where: RUNNING,
    isDue: hasDueLine(`b.account_id = account.account_id AND ${CALLER} = walk.caller`),
  },
  '$10::uuid',
);

/**
 * Lines of lost leases come first, then lost attempts of batches that have ended, then due lines: of each caller the oldest, of the
 * callers with the fewest lines in progress, and of the accounts with the fewest.
 */
const CLAIM = `
  WITH leased AS MATERIALIZED (
    SELECT account.account_id, ${CALLER} AS caller, count(*)::int AS count, sum(octet_length(l.body)) AS bytes
    FROM unnest($9::uuid[]) AS account (account_id)
    JOIN batch_lines l ON l.account_id = account.account_id AND l.lease_until IS NOT NULL JOIN batches b USING (batch_id)
    GROUP BY 1, 2
  ), account AS (
    SELECT account.account_id, leased.*
    FROM unnest($9::uuid[]) AS account (account_id) CROSS JOIN LATERAL (
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(bytes), 0) AS bytes
      FROM leased WHERE leased.account_id = account.account_id) AS leased
  ), caller AS (
    SELECT account.account_id, c.caller, leased.*
    FROM account CROSS JOIN ${CALLERS}
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(leased.count), 0)::int AS count, coalesce(sum(leased.bytes), 0) AS bytes
      FROM leased WHERE leased.account_id = account.account_id AND leased.caller = c.caller) AS leased
    WHERE leased.count < $6
  ), ready AS (
    SELECT c.account_id, d.*, c.count + row_number() OVER (PARTITION BY c.caller ORDER BY d.batch_id, d.line) AS rank,
      c.bytes + sum(d.bytes) OVER (PARTITION BY c.caller ORDER BY d.batch_id, d.line) - d.bytes AS before
    FROM caller c CROSS JOIN LATERAL (
      SELECT l.* FROM (
        SELECT batch_id FROM batches WHERE account_id = c.account_id AND ${CALLER} = c.caller AND ${RUNNING}
        ORDER BY batch_id LIMIT ${BATCHES_VISITED_MAX}) AS b
      CROSS JOIN LATERAL (
        SELECT l.batch_id, l.line, octet_length(l.body) AS bytes FROM batch_lines l
        WHERE l.batch_id = b.batch_id AND ${CLAIMABLE} AND l.due_at <= now() ORDER BY l.due_at, l.line LIMIT $6 - c.count) AS l
      LIMIT $6 - c.count) AS d
  ), due AS (
    SELECT r.batch_id, r.line, account.count + row_number() OVER account AS turn,
      account.bytes + sum(r.bytes) OVER account - r.bytes AS before
    FROM ready r JOIN account USING (account_id) WHERE r.before < $8
    WINDOW account AS (PARTITION BY r.account_id ORDER BY r.rank, r.batch_id, r.line)
  ), expired AS (
    SELECT batch_id, line, 0 AS turn FROM batch_lines WHERE lease_until < now() ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED
  ), unwanted AS (
    SELECT l.batch_id, l.line, 0 AS turn
    FROM (SELECT batch_id FROM batches WHERE ended_at IS NULL AND status NOT IN ('validating', 'in_progress')
          ORDER BY batch_id LIMIT ${BATCHES_VISITED_MAX}) AS b
    CROSS JOIN LATERAL (
      SELECT batch_id, line FROM batch_lines l
      WHERE l.batch_id = b.batch_id AND ${CLAIMABLE} AND (l.is_dispatched OR l.superseded_attempt IS NOT NULL) AND l.due_at <= now()
      LIMIT $3) AS l LIMIT $3
  ), queue AS (
    SELECT * FROM expired UNION ALL SELECT * FROM unwanted
    UNION ALL SELECT batch_id, line, turn FROM due WHERE turn <= $4 AND before < $7
    ORDER BY turn, batch_id, line LIMIT $3
  ), picked AS (
    SELECT batch_id, line FROM (
      SELECT batch_id, line, sum(octet_length(body)) OVER (ORDER BY turn, batch_id, line) - octet_length(body) AS before
      FROM queue JOIN batch_lines USING (batch_id, line)) AS q
    WHERE before < $5
  ), locked AS (
    SELECT l.batch_id, l.line FROM picked JOIN batch_lines l USING (batch_id, line)
    WHERE NOT l.is_done AND (l.lease_until IS NULL OR l.lease_until < now()) FOR UPDATE OF l SKIP LOCKED
  )
  UPDATE batch_lines l
  SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
      attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
      superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM locked JOIN batches b USING (batch_id)
  WHERE l.batch_id = locked.batch_id AND l.line = locked.line
  RETURNING l.batch_id, l.line, l.lease_epoch, b.endpoint, b.status = 'in_progress' AS is_wanted, b.principal, b.traceparent,
    octet_length(l.body) AS bytes, l.attempt, l.superseded_attempt, l.lost, l.tries, l.waits`;

/**
 * Leases lines to this process: lost leases and lost attempts of all accounts, and due lines of the next accounts of the ring after
 * `after`. The lock of an account makes its bounds exact, and is taken before they are read.
 */
export async function claimLines(
  tx: Tx,
  { owner, leaseMs }: LineLease,
  { slots, accountConcurrency, callerConcurrency, bytes, accountBytes, callerBytes }: ClaimBounds,
  after: string,
): Promise<Visit & { items: LineItem[] }> {
  const visited = await tx.query<{ accountId: string; isLocked: boolean | null }>({
    name: 'batch_lines.visit',
    text: VISIT,
    values: [after, accountConcurrency],
  });
  const visit = toVisit(visited.rows);
  const account = [accountConcurrency, bytes, callerConcurrency, accountBytes, callerBytes];
  const values = [owner, leaseMs, slots, ...account, visit.accountIds, randomUUID()];
  const result = await tx.query<ClaimedRow>({ name: 'batch_lines.claim', text: CLAIM, values });
  return { ...visit, items: result.rows.map(toItem) };
}

function toItem(row: ClaimedRow): LineItem {
  return {
    batchId: row.batch_id,
    line: row.line,
    epoch: row.lease_epoch,
    endpoint: row.endpoint,
    isWanted: row.is_wanted,
    principal: row.principal,
    traceparent: row.traceparent ?? undefined,
    bytes: row.bytes,
    attempt: row.attempt,
    supersededAttempt: row.superseded_attempt ?? undefined,
    lost: row.lost,
    tries: row.tries,
    waits: row.waits,
  };
}
