import { randomUUID } from 'node:crypto';
import type { KeyWalkOptions, Tx, Visit } from '@tollgate/postgres';
import { type AccountWalk, type Key, walkAccounts, walkCallers } from './walk.js';

export interface LeaseHolder {
  owner: string;
  leaseMs: number;
}

/**
 * The SQL of a table of requests, which refers to a row as `r`. All such tables have the columns `account_id`, `body`, `due_at`,
 * `lease_owner`, `lease_epoch`, `lease_until`, `attempt`, `is_dispatched`, `superseded_attempt`, `lost`, `tries` and `waits`.
 */
export interface RequestSql {
  name: string;
  /** Columns of the primary key. */
  key: readonly { column: string; type: string }[];
  /** The request has not ended. */
  unfinished: string;
  /** The request is leased. */
  running: string;
  /** Size of a request. */
  size: string;
  /** Joins the row that says whose a request is; empty when the request says it. */
  owner: string;
  /** The caller, who is a customer, or the project itself. */
  caller: string;
  /** The accounts with waiting requests. `isOpen` says of `next` whether some are due. */
  accounts: Pick<KeyWalkOptions, 'table' | 'where' | 'columns' | 'isOpen'>;
  /** The callers of `account.account_id` with due requests. */
  callers: Key & { isDue: string };
  /** Returns the oldest due requests of a caller, in any order: the columns of the key and of `order`, and `weight`. */
  oldest(of: { account: string; caller: string; weight: string; limit: string }): string;
  /** The order of a caller's requests. */
  order: string;
  /** Returns waiting requests that are run before their turn: the columns of the key, and `weight`. */
  abandoned?(of: { weight: string; limit: string }): string;
  /** Further columns that a claim returns. */
  columns: readonly string[];
  /** Further columns that are set when a request is dispatched. */
  dispatched?: string;
  /** Class of the advisory locks of the accounts. */
  lockClass: number;
}

/** Bounds of the work in progress after a claim. Bytes are those of large requests. */
export interface ClaimBounds {
  /** In this process: further requests, and further bytes. */
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
  /** Size of the largest request: bytes beyond it are not in memory while the request runs. */
  requestBytes: number;
}

/** Returns the bytes that a request counts towards the bounds. */
export function weigh(
  bytes: number,
  { smallBytes, requestBytes }: { smallBytes: number; requestBytes: number },
): number {
  return bytes <= smallBytes ? 0 : Math.min(bytes, requestBytes);
}

/** Columns that all claims return, beside those of the key and `columns` of the table. */
export interface ClaimedRow {
  lease_epoch: number;
  principal: Buffer;
  traceparent: string | null;
  bytes: number;
  attempt: number;
  superseded_attempt: number | null;
  lost: number;
  tries: number;
  waits: number;
}

/** Claims requests of one table. */
export type ClaimRows<Row> = (
  tx: Tx,
  lease: LeaseHolder,
  bounds: ClaimBounds,
  after: string,
) => Promise<Visit & { rows: (Row & ClaimedRow)[] }>;

/**
 * Returns the claim of a table: it leases lost leases of all accounts, and due requests of the next accounts after `after`. The lock of an
 * account makes its bounds exact, and is taken before they are read.
 */
export function claimFrom<Row>(table: RequestSql): ClaimRows<Row> {
  const accounts = walk(table);
  const claim = claimSql(table);
  return async (tx, { owner, leaseMs }, bounds, after) => {
    const { accountConcurrency } = bounds;
    const visit = await accounts.visit(tx, after, accountConcurrency);
    const result = await tx.query<Row & ClaimedRow>({
      name: `${table.name}.claim`,
      text: claim,
      values: [
        owner,
        leaseMs,
        bounds.slots,
        accountConcurrency,
        bounds.bytes,
        bounds.callerConcurrency,
        bounds.accountBytes,
        bounds.callerBytes,
        bounds.smallBytes,
        bounds.requestBytes,
        visit.keys,
        randomUUID(),
      ],
    });
    return { ...visit, rows: result.rows };
  };
}

/** Counts at most `$3` requests in progress: an account with that many is full. */
function walk({ name, accounts, running, lockClass }: RequestSql): AccountWalk {
  return walkAccounts({
    ...accounts,
    name: `${name}.visit`,
    isOpen: `${accounts.isOpen} AND $3 > (SELECT count(*) FROM (
      SELECT FROM ${name} r WHERE r.account_id = next.account_id AND ${running} LIMIT $3) AS running)`,
    lockClass,
  });
}

/**
 * Lost leases come first, then abandoned requests, then due ones: those of the callers with the fewest in progress, and of the accounts with
 * the fewest. A request that must wait for its share of bytes takes no place of the others.
 */
function claimSql(table: RequestSql): string {
  const { name, key, caller, owner, running, unfinished, callers, oldest, order, abandoned, size, columns } = table;
  const keys = key.map(({ column }) => column).join(', ');
  const weight = `CASE WHEN ${size} <= $9 THEN 0 ELSE least(${size}, $10) END`;
  const of = { account: 'c.account_id', caller: 'c.caller', weight, limit: '$6 - c.count' };
  return `
  WITH running AS MATERIALIZED (
    SELECT account.account_id, request.caller, count(*)::int AS count, sum(request.weight) AS weight
    FROM unnest($11::uuid[]) AS account (account_id) CROSS JOIN LATERAL (
      SELECT ${caller} AS caller, ${weight} AS weight FROM ${name} r ${owner}
      WHERE r.account_id = account.account_id AND ${running}) AS request
    GROUP BY 1, 2
  ), account AS (
    SELECT account.account_id, total.*
    FROM unnest($11::uuid[]) AS account (account_id) CROSS JOIN LATERAL (
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(weight), 0) AS weight
      FROM running WHERE running.account_id = account.account_id) AS total
  ), caller AS (
    SELECT account.account_id, c.caller, total.*
    FROM account CROSS JOIN ${walkCallers(callers, '$12::uuid')}
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(weight), 0) AS weight
      FROM running WHERE running.account_id = account.account_id AND running.caller = c.caller) AS total
    WHERE total.count < $6
  ), ready AS (
    SELECT c.account_id, d.*, c.count + row_number() OVER (PARTITION BY c.caller ORDER BY ${order}) AS rank
    FROM caller c CROSS JOIN LATERAL (
      SELECT *, c.weight + sum(oldest.weight) OVER (ORDER BY ${order}) AS total FROM (${oldest(of)}) AS oldest) AS d
    WHERE d.weight = 0 OR d.total <= $8 OR d.total = d.weight
  ), shared AS (
    SELECT ${keys}, r.account_id, r.weight, r.rank, account.count,
      account.weight + sum(r.weight) OVER (PARTITION BY r.account_id ORDER BY r.rank, ${keys}) AS total
    FROM ready r JOIN account USING (account_id) WHERE r.rank <= $6
  ), due AS (
    SELECT ${keys}, weight, count + row_number() OVER (PARTITION BY account_id ORDER BY rank, ${keys}) AS turn
    FROM shared WHERE weight = 0 OR total <= $7
  ), expired AS (
    SELECT ${keys}, ${weight} AS weight, 0 AS turn FROM ${name} r
    WHERE ${unfinished} AND lease_until < now() ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED
  ), queue AS (
    SELECT * FROM expired${abandoned ? ` UNION ALL SELECT *, 0 AS turn FROM (${abandoned({ weight, limit: '$3' })}) AS abandoned` : ''}
    UNION ALL SELECT ${keys}, weight, turn FROM due WHERE turn <= $4
  ), picked AS (
    SELECT ${keys} FROM (SELECT *, sum(weight) OVER (ORDER BY turn, ${keys}) AS total FROM queue) AS q
    WHERE weight = 0 OR total <= $5 ORDER BY turn, ${keys} LIMIT $3
  ), locked AS (
    SELECT ${key.map(({ column }) => `r.${column}`).join(', ')} FROM picked JOIN ${name} r USING (${keys})
    WHERE ${unfinished} AND (r.lease_until IS NULL OR r.lease_until < now()) FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE ${name} r
  SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
      attempt = attempt + is_dispatched::int, lost = lost + is_dispatched::int,
      superseded_attempt = CASE WHEN is_dispatched THEN attempt ELSE superseded_attempt END, is_dispatched = false
  FROM locked ${owner} WHERE ${key.map(({ column }) => `r.${column} = locked.${column}`).join(' AND ')}
  RETURNING ${[...key.map(({ column }) => `r.${column}`), ...columns].join(', ')}, ${size} AS bytes, r.lease_epoch, r.attempt,
    r.superseded_attempt, r.lost, r.tries, r.waits`;
}
