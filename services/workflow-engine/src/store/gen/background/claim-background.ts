// Generated from background/claim-background.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, uuidArray } from '@tollgate/postgres/columns';

export interface VisitBackgroundAccountsInput {
  after: string;
  accountConcurrency: bigint | number;
}

export interface VisitBackgroundAccountsRow {
  key: string;
  isLocked: boolean | null;
}

const VISIT_BACKGROUND_ACCOUNTS = `
  WITH RECURSIVE walk AS (
    SELECT $1::uuid AS account_id, false AS is_open, 0 AS place, 0 AS found
    UNION ALL
    SELECT next.account_id, open.is_open, walk.place + 1, walk.found + open.is_open::int
    FROM walk
    CROSS JOIN LATERAL (
      SELECT account_id, due_at FROM background_responses
      WHERE ended_at IS NULL AND lease_until IS NULL AND account_id > walk.account_id
      ORDER BY account_id, due_at
      LIMIT 1) AS next
    CROSS JOIN LATERAL (
      SELECT coalesce(
        next.due_at <= now() AND $2 > (
          SELECT count(*) FROM (
            SELECT FROM background_responses r
            WHERE r.account_id = next.account_id AND r.ended_at IS NULL AND r.lease_until IS NOT NULL
            LIMIT $2) AS running), false) AS is_open) AS open
    WHERE walk.place < 64 AND walk.found < 8
  )
  SELECT account_id AS "key",
    CASE WHEN is_open THEN pg_try_advisory_xact_lock(7223062, hashtext(account_id::text)) END AS "isLocked"
  FROM walk
  WHERE place > 0
  ORDER BY place`;

/**
 * Visits the accounts after `after` until some of them have due responses and fewer in progress than they may. Locks these accounts for
 * the transaction; those that are not locked have another claim.
 */
export async function visitBackgroundAccounts(db: Queryable, input: VisitBackgroundAccountsInput): Promise<VisitBackgroundAccountsRow[]> {
  const { rows } = await db.query<VisitBackgroundAccountsRow>({
    name: 'visit_background_accounts',
    text: VISIT_BACKGROUND_ACCOUNTS,
    values: [
      input.after,
      input.accountConcurrency,
    ],
  });
  return rows;
}

export interface FindDueBackgroundInput {
  accountIds: readonly string[];
  smallBytes: number;
  requestBytes: number;
  from: string;
  callerConcurrency: number;
  callerBytes: string | bigint | number;
  accountBytes: string | bigint | number;
  accountConcurrency: bigint | number;
}

export interface FindDueBackgroundRow {
  id: string;
  weight: number;
  turn: bigint;
}

const FIND_DUE_BACKGROUND = `
  WITH running AS MATERIALIZED (
    SELECT account.account_id, request.caller, count(*)::int AS count, sum(request.weight) AS weight
    FROM unnest($1::uuid[]) AS account (account_id)
    CROSS JOIN LATERAL (
      SELECT coalesce(customer_id, project_id) AS caller, (r.bytes > $2)::int * least(r.bytes, $3) AS weight
      FROM background_responses r
      WHERE r.account_id = account.account_id AND r.ended_at IS NULL AND r.lease_until IS NOT NULL) AS request
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
            SELECT coalesce(customer_id, project_id) AS caller FROM background_responses
            WHERE account_id = account.account_id AND ended_at IS NULL AND lease_until IS NULL
              AND coalesce(customer_id, project_id) > walk.caller AND coalesce(customer_id, project_id) <= arc.high
            ORDER BY coalesce(customer_id, project_id) LIMIT 1) AS next
          WHERE walk.place < 128)
        SELECT caller FROM walk WHERE place > 0) AS walk
      WHERE coalesce(
        (SELECT due_at FROM background_responses r
          WHERE account_id = account.account_id AND coalesce(customer_id, project_id) = walk.caller AND ended_at IS NULL
            AND lease_until IS NULL AND (bytes > 262144)::int = 0 AND due_at <= now()
          ORDER BY due_at, id LIMIT 1),
        (SELECT due_at FROM background_responses r
          WHERE account_id = account.account_id AND coalesce(customer_id, project_id) = walk.caller AND ended_at IS NULL
            AND lease_until IS NULL AND (bytes > 262144)::int = 1 AND due_at <= now()
          ORDER BY due_at, id LIMIT 1)) IS NOT NULL
      LIMIT 32) AS c
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(weight), 0) AS weight
      FROM running WHERE running.account_id = account.account_id AND running.caller = c.caller) AS total
    WHERE total.count < $5
  ),
  ready AS (
    SELECT c.account_id, d.*, c.count + row_number() OVER (PARTITION BY c.caller ORDER BY due_at, id) AS rank
    FROM caller c CROSS JOIN LATERAL (
      SELECT *, c.weight + sum(oldest.weight) OVER (ORDER BY due_at, id) AS total FROM (
        (SELECT id, due_at, (r.bytes > $2)::int * least(r.bytes, $3) AS weight FROM background_responses r
          WHERE account_id = c.account_id AND coalesce(customer_id, project_id) = c.caller AND ended_at IS NULL AND lease_until IS NULL
            AND (bytes > 262144)::int = 0 AND due_at <= now()
          ORDER BY due_at, id LIMIT $5 - c.count)
        UNION ALL
        (SELECT id, due_at, (r.bytes > $2)::int * least(r.bytes, $3) AS weight FROM background_responses r
          WHERE account_id = c.account_id AND coalesce(customer_id, project_id) = c.caller AND ended_at IS NULL AND lease_until IS NULL
            AND (bytes > 262144)::int = 1 AND due_at <= now()
          ORDER BY due_at, id LIMIT $5 - c.count)) AS oldest) AS d
    WHERE d.weight = 0 OR d.total <= $6 OR d.total = d.weight
  ),
  shared AS (
    SELECT id, r.account_id, r.weight, r.rank, account.count,
      account.weight + sum(r.weight) OVER (PARTITION BY r.account_id ORDER BY r.rank, id) AS total
    FROM ready r JOIN account USING (account_id) WHERE r.rank <= $5
  ),
  due AS (
    SELECT id, weight, count + row_number() OVER (PARTITION BY account_id ORDER BY rank, id) AS turn
    FROM shared WHERE weight = 0 OR total <= $7
  )
  SELECT id AS "id", weight AS "weight", turn AS "turn" FROM due WHERE turn <= $8`;

/**
 * Finds the next due responses of accounts that this transaction has locked, so that their bounds are exact: those of the callers
 * with the fewest in progress, and of the accounts with the fewest. A request that must wait for its share of bytes takes no place
 * of the others. `from` differs from claim to claim: otherwise the callers with the first ids would be preferred where there are
 * more than one claim visits.
 */
export async function findDueBackground(db: Queryable, input: FindDueBackgroundInput): Promise<FindDueBackgroundRow[]> {
  const { rows } = await db.query<FindDueBackgroundRow>({
    name: 'find_due_background',
    text: FIND_DUE_BACKGROUND,
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
export interface LeaseBackgroundDueRow {
  id: string;
  weight: number;
  turn: bigint | number;
}

export interface LeaseBackgroundInput {
  smallBytes: number;
  requestBytes: number;
  slots: bigint | number;
  due: readonly LeaseBackgroundDueRow[];
  bytes: bigint | number;
  owner: string;
  leaseMs: number;
}

export interface LeaseBackgroundRow {
  id: string;
  principal: Buffer;
  traceparent: string | null;
  options: string;
  is_streamed: boolean;
  last_event: number;
  event_bytes: number;
  remaining_ms: number;
  bytes: number;
  lease_epoch: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  waits: number;
}

const LEASE_BACKGROUND = `
  WITH expired AS (
    SELECT id, (r.bytes > $1)::int * least(r.bytes, $2) AS weight, 0 AS turn
    FROM background_responses r
    WHERE r.ended_at IS NULL AND lease_until < now()
    ORDER BY lease_until
    LIMIT $3
    FOR UPDATE SKIP LOCKED
  ),
  queue AS (
    SELECT * FROM expired
    UNION ALL
    SELECT id, weight, turn FROM (SELECT ($4::uuid[])[nth.i] AS id, ($5::bigint[])[nth.i][1]::int AS weight, ($5::bigint[])[nth.i][2] AS turn FROM generate_subscripts($4::uuid[], 1) AS nth (i)) AS due
  ),
  picked AS (
    SELECT id
    FROM (SELECT *, sum(weight) OVER (ORDER BY turn, id) AS total FROM queue) AS q
    WHERE weight = 0 OR total <= $6
    ORDER BY turn, id
    LIMIT $3
  ),
  locked AS (
    SELECT r.id
    FROM picked JOIN background_responses r USING (id)
    WHERE r.ended_at IS NULL AND (r.lease_until IS NULL OR r.lease_until < now())
    FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE background_responses r
  SET lease_owner = $7, lease_epoch = lease_epoch + 1, lease_until = now() + $8 * interval '1 ms',
    attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
    superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM locked
  WHERE r.id = locked.id
  RETURNING r.id, r.principal, r.traceparent, r.options, r.is_streamed, r.last_event, r.event_bytes,
    (extract(epoch FROM r.expires_at - now()) * 1000)::int AS "remaining_ms",
    r.bytes AS "bytes", r.lease_epoch, r.attempt, r.superseded_attempt, r.lost, r.tries, r.waits`;

/** Leases responses to a process within its bounds: lost leases, then due responses. */
export async function leaseBackground(db: Queryable, input: LeaseBackgroundInput): Promise<LeaseBackgroundRow[]> {
  const { rows } = await db.query<LeaseBackgroundRow>({
    name: 'lease_background',
    text: LEASE_BACKGROUND,
    values: [
      input.smallBytes,
      input.requestBytes,
      input.slots,
      uuidArray(input.due, [(r) => r.id]),
      bigintArray(input.due, [(r) => r.weight, (r) => r.turn]),
      input.bytes,
      input.owner,
      input.leaseMs,
    ],
  });
  return rows;
}
