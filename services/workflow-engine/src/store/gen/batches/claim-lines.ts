// Generated from batches/claim-lines.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, uuidArray } from '@tollgate/postgres/columns';
import type { BatchEndpoint } from '../../../domain/batches/batch-json.js';

export interface VisitLineAccountsInput {
  after: string;
  accountConcurrency: bigint | number;
}

export interface VisitLineAccountsRow {
  key: string;
  isLocked: boolean | null;
}

const VISIT_LINE_ACCOUNTS = `
  WITH RECURSIVE walk AS (
    SELECT $1::uuid AS account_id, false AS is_open, 0 AS place, 0 AS found
    UNION ALL
    SELECT next.account_id, open.is_open, walk.place + 1, walk.found + open.is_open::int
    FROM walk
    CROSS JOIN LATERAL (
      SELECT account_id FROM batches
      WHERE ended_at IS NULL AND status = 'in_progress' AND account_id > walk.account_id
      ORDER BY account_id
      LIMIT 1) AS next
    CROSS JOIN LATERAL (
      SELECT coalesce(
        now() >= (SELECT min(due_at) FROM batch_lines l WHERE l.account_id = next.account_id AND NOT is_done AND lease_until IS NULL)
        AND EXISTS (
          SELECT FROM (
            SELECT batch_id FROM batches
            WHERE account_id = next.account_id AND ended_at IS NULL AND status = 'in_progress' LIMIT 256) AS b
          CROSS JOIN LATERAL (
            SELECT FROM batch_lines l
            WHERE l.batch_id = b.batch_id AND NOT is_done AND lease_until IS NULL AND l.due_at <= now() LIMIT 1) AS l)
        AND $2 > (
          SELECT count(*) FROM (
            SELECT FROM batch_lines r
            WHERE r.account_id = next.account_id AND r.lease_until IS NOT NULL
            LIMIT $2) AS running), false) AS is_open) AS open
    WHERE walk.place < 64 AND walk.found < 8
  )
  SELECT account_id AS "key",
    CASE WHEN is_open THEN pg_try_advisory_xact_lock(7223061, hashtext(account_id::text)) END AS "isLocked"
  FROM walk
  WHERE place > 0
  ORDER BY place`;

/**
 * Visits the accounts after `after` until some of them have due lines and fewer in progress than they may. Locks these accounts for
 * the transaction; those that are not locked have another claim.
 */
export async function visitLineAccounts(db: Queryable, input: VisitLineAccountsInput): Promise<VisitLineAccountsRow[]> {
  const { rows } = await db.query<VisitLineAccountsRow>({
    name: 'visit_line_accounts',
    text: VISIT_LINE_ACCOUNTS,
    values: [
      input.after,
      input.accountConcurrency,
    ],
  });
  return rows;
}

export interface FindDueLinesInput {
  accountIds: readonly string[];
  smallBytes: number;
  requestBytes: number;
  from: string;
  callerConcurrency: number;
  callerBytes: string | bigint | number;
  accountBytes: string | bigint | number;
  accountConcurrency: bigint | number;
}

export interface FindDueLinesRow {
  batchId: string;
  line: number;
  weight: number;
  turn: bigint;
}

const FIND_DUE_LINES = `
  WITH running AS MATERIALIZED (
    SELECT account.account_id, request.caller, count(*)::int AS count, sum(request.weight) AS weight
    FROM unnest($1::uuid[]) AS account (account_id)
    CROSS JOIN LATERAL (
      SELECT coalesce(customer_id, project_id) AS caller,
        (octet_length(r.body) > $2)::int * least(octet_length(r.body), $3) AS weight
      FROM batch_lines r JOIN batches b USING (batch_id)
      WHERE r.account_id = account.account_id AND r.lease_until IS NOT NULL) AS request
    GROUP BY 1, 2
  ),
  account AS (
    SELECT account.account_id, total.* FROM unnest($1::uuid[]) AS account (account_id)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(weight), 0) AS weight
      FROM running WHERE running.account_id = account.account_id) AS total
  ),
  caller AS (
    SELECT account.account_id, c.caller, total.* FROM account
    CROSS JOIN LATERAL (
      SELECT walk.caller
      FROM (VALUES ($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid),
        ('00000000-0000-0000-0000-000000000000'::uuid, $4)) AS arc (low, high)
      CROSS JOIN LATERAL (
        WITH RECURSIVE walk AS (
          SELECT arc.low AS caller, 0 AS place
          UNION ALL
          SELECT next.caller, walk.place + 1 FROM walk CROSS JOIN LATERAL (
            SELECT coalesce(customer_id, project_id) AS caller FROM batches
            WHERE account_id = account.account_id AND ended_at IS NULL AND status = 'in_progress'
              AND coalesce(customer_id, project_id) > walk.caller AND coalesce(customer_id, project_id) <= arc.high
            ORDER BY coalesce(customer_id, project_id) LIMIT 1) AS next
          WHERE walk.place < 128)
        SELECT caller FROM walk WHERE place > 0) AS walk
      WHERE EXISTS (
        SELECT FROM (
          SELECT batch_id FROM batches WHERE account_id = account.account_id AND coalesce(customer_id, project_id) = walk.caller
            AND ended_at IS NULL AND status = 'in_progress' LIMIT 256) AS b
        CROSS JOIN LATERAL (
          SELECT FROM batch_lines l WHERE l.batch_id = b.batch_id AND NOT is_done AND lease_until IS NULL AND l.due_at <= now() LIMIT 1) AS l)
      LIMIT 32) AS c
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(weight), 0) AS weight
      FROM running WHERE running.account_id = account.account_id AND running.caller = c.caller) AS total
    WHERE total.count < $5
  ),
  ready AS (
    SELECT c.account_id, d.*, c.count + row_number() OVER (PARTITION BY c.caller ORDER BY batch_id, line) AS rank
    FROM caller c CROSS JOIN LATERAL (
      SELECT *, c.weight + sum(oldest.weight) OVER (ORDER BY batch_id, line) AS total FROM (
        SELECT r.* FROM (
          SELECT batch_id FROM batches
          WHERE account_id = c.account_id AND coalesce(customer_id, project_id) = c.caller AND ended_at IS NULL AND status = 'in_progress'
          ORDER BY batch_id LIMIT 256) AS b
        CROSS JOIN LATERAL (
          SELECT r.batch_id, r.line, (octet_length(r.body) > $2)::int * least(octet_length(r.body), $3) AS weight
          FROM batch_lines r WHERE r.batch_id = b.batch_id AND NOT is_done AND lease_until IS NULL AND r.due_at <= now()
          ORDER BY r.due_at, r.line LIMIT $5 - c.count) AS r
        LIMIT $5 - c.count) AS oldest) AS d
    WHERE d.weight = 0 OR d.total <= $6 OR d.total = d.weight
  ),
  shared AS (
    SELECT batch_id, line, r.account_id, r.weight, r.rank, account.count,
      account.weight + sum(r.weight) OVER (PARTITION BY r.account_id ORDER BY r.rank, batch_id, line) AS total
    FROM ready r JOIN account USING (account_id) WHERE r.rank <= $5
  ),
  due AS (
    SELECT batch_id, line, weight, count + row_number() OVER (PARTITION BY account_id ORDER BY rank, batch_id, line) AS turn
    FROM shared WHERE weight = 0 OR total <= $7
  )
  SELECT batch_id AS "batchId", line AS "line", weight AS "weight", turn AS "turn" FROM due WHERE turn <= $8`;

/**
 * Finds the next due lines of accounts that this transaction has locked, so that their bounds are exact: those of the callers
 * with the fewest in progress, and of the accounts with the fewest. A request that must wait for its share of bytes takes no place
 * of the others. `from` differs from claim to claim: otherwise the callers with the first ids would be preferred where there are
 * more than one claim visits.
 */
export async function findDueLines(db: Queryable, input: FindDueLinesInput): Promise<FindDueLinesRow[]> {
  const { rows } = await db.query<FindDueLinesRow>({
    name: 'find_due_lines',
    text: FIND_DUE_LINES,
    values: [
      arrayLiteral(input.accountIds),
      input.smallBytes,
      input.requestBytes,
      input.from,
      input.callerConcurrency,
      input.callerBytes,
      input.accountBytes,
      input.accountConcurrency,
    ],
  });
  return rows;
}

/** A row of `due`. */
export interface LeaseLinesDueRow {
  batchId: string;
  line: number;
  weight: number;
  turn: bigint | number;
}

export interface LeaseLinesInput {
  smallBytes: number;
  requestBytes: number;
  slots: bigint | number;
  due: readonly LeaseLinesDueRow[];
  bytes: bigint | number;
  owner: string;
  leaseMs: number;
}

export interface LeaseLinesRow {
  batch_id: string;
  line: number;
  endpoint: BatchEndpoint;
  is_wanted: boolean;
  principal: Buffer;
  traceparent: string | null;
  bytes: number;
  lease_epoch: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  waits: number;
}

const LEASE_LINES = `
  WITH expired AS (
    SELECT batch_id, line, (octet_length(r.body) > $1)::int * least(octet_length(r.body), $2) AS weight, 0 AS turn
    FROM batch_lines r
    WHERE NOT r.is_done AND lease_until < now()
    ORDER BY lease_until
    LIMIT $3
    FOR UPDATE SKIP LOCKED
  ),
  queue AS (
    SELECT * FROM expired
    UNION ALL
    SELECT *, 0 AS turn FROM (
      SELECT r.*
      FROM (
        SELECT batch_id FROM batches WHERE ended_at IS NULL AND status NOT IN ('validating', 'in_progress')
        ORDER BY batch_id LIMIT 256) AS b
      CROSS JOIN LATERAL (
        SELECT r.batch_id, r.line, (octet_length(r.body) > $1)::int * least(octet_length(r.body), $2) AS weight
        FROM batch_lines r
        WHERE r.batch_id = b.batch_id AND NOT is_done AND lease_until IS NULL AND (r.is_dispatched OR r.superseded_attempt IS NOT NULL)
        LIMIT $3) AS r
      LIMIT $3) AS abandoned
    UNION ALL
    SELECT batch_id, line, weight, turn FROM (SELECT ($4::uuid[])[nth.i] AS batch_id, ($5::bigint[])[nth.i][1]::int AS line, ($5::bigint[])[nth.i][2]::int AS weight, ($5::bigint[])[nth.i][3] AS turn FROM generate_subscripts($4::uuid[], 1) AS nth (i)) AS due
  ),
  picked AS (
    SELECT batch_id, line
    FROM (SELECT *, sum(weight) OVER (ORDER BY turn, batch_id, line) AS total FROM queue) AS q
    WHERE weight = 0 OR total <= $6
    ORDER BY turn, batch_id, line
    LIMIT $3
  ),
  locked AS (
    SELECT r.batch_id, r.line
    FROM picked JOIN batch_lines r USING (batch_id, line)
    WHERE NOT r.is_done AND (r.lease_until IS NULL OR r.lease_until < now())
    FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE batch_lines r
  SET lease_owner = $7, lease_epoch = lease_epoch + 1, lease_until = now() + $8 * interval '1 ms',
    attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
    superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM locked JOIN batches b USING (batch_id)
  WHERE r.batch_id = locked.batch_id AND r.line = locked.line
  RETURNING r.batch_id, r.line, b.endpoint, b.status = 'in_progress' AS "is_wanted", b.principal, b.traceparent,
    octet_length(r.body) AS "bytes", r.lease_epoch, r.attempt, r.superseded_attempt, r.lost, r.tries, r.waits`;

/**
 * Leases lines to a process within its bounds: lost leases, then abandoned lines, which have a lost attempt in a batch that wants
 * no more answers, then due lines.
 */
export async function leaseLines(db: Queryable, input: LeaseLinesInput): Promise<LeaseLinesRow[]> {
  const { rows } = await db.query<LeaseLinesRow>({
    name: 'lease_lines',
    text: LEASE_LINES,
    values: [
      input.smallBytes,
      input.requestBytes,
      input.slots,
      uuidArray(input.due, [(r) => r.batchId]),
      bigintArray(input.due, [(r) => r.line, (r) => r.weight, (r) => r.turn]),
      input.bytes,
      input.owner,
      input.leaseMs,
    ],
  });
  return rows;
}
