/** Sorts before and after every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The accounts that one claim visits, and those of them with work for it. */
const ACCOUNTS_VISITED_MAX = 64;
const ACCOUNTS_CLAIMED_MAX = 8;
/** The same for the callers of an account: visited from `from` to the last one, and from the first one to `from`. */
const CALLERS_VISITED_MAX = 128;
const CALLERS_CLAIMED_MAX = 32;

export interface Key {
  table: string;
  /** SQL of the value that is walked, as an index of the table has it. */
  key: string;
  where: string;
}

export interface AccountWalk extends Key {
  /** SQL that says of `next`, a row of the table, whether a claim may find work of its account. */
  isOpen: string;
  /** Columns that lead the order of an account's rows, such that the first one decides `isOpen`. */
  columns?: readonly string[];
  /** Class of the advisory locks that give an account to one claim; without it, accounts are not locked. */
  lockClass?: number;
}

/**
 * Returns SQL for a part of the ring of accounts with waiting work, from `$1` on, which reads the index from account to account: its
 * cost does not depend on the number of rows of an account. With a `lockClass`, tries to lock the accounts with work until the transaction
 * ends: those whose lock another claim has are its to serve.
 */
export function walkAccounts({ table, key, where, isOpen, columns = [], lockClass }: AccountWalk): string {
  const order = [key, ...columns].join(', ');
  const next = (above: string) =>
    `SELECT ${order} FROM ${table} WHERE ${where} AND ${key} > ${above} ORDER BY ${order} LIMIT 1`;
  const isOurs = lockClass === undefined ? 'true' : `pg_try_advisory_xact_lock(${lockClass}, hashtext(${key}::text))`;
  const open = `SELECT coalesce(${isOpen}, false) AS is_open`;
  return `
  WITH RECURSIVE walk AS (
    (SELECT next.${key}, open.is_open, 1 AS place, open.is_open::int AS found
     FROM (${next('$1')}) AS next CROSS JOIN LATERAL (${open}) AS open)
    UNION ALL
    SELECT next.${key}, open.is_open, walk.place + 1, walk.found + open.is_open::int
    FROM walk CROSS JOIN LATERAL (${next(`walk.${key}`)}) AS next CROSS JOIN LATERAL (${open}) AS open
    WHERE walk.place < ${ACCOUNTS_VISITED_MAX} AND walk.found < ${ACCOUNTS_CLAIMED_MAX}
  )
  SELECT ${key} AS "accountId", CASE WHEN is_open THEN ${isOurs} END AS "isLocked" FROM walk ORDER BY place`;
}

/**
 * Returns SQL for callers of `account.account_id` with work, as `c.caller`, beginning with `from`, which must differ from claim to claim:
 * otherwise those with the first ids would be preferred where there are more than one claim visits. `isDue` says it of `walk.caller`.
 */
export function walkCallers({ table, key, where, isDue }: Key & { isDue: string }, from: string): string {
  const next = (bounds: string) =>
    `SELECT ${key} AS caller FROM ${table}
     WHERE account_id = account.account_id AND ${where} AND ${bounds} AND ${key} < arc.high ORDER BY ${key} LIMIT 1`;
  return `
    LATERAL (
      SELECT walk.caller
      FROM (VALUES (${from}, '${LAST_ID}'::uuid), ('${FIRST_ID}'::uuid, ${from})) AS arc (low, high)
      CROSS JOIN LATERAL (
        WITH RECURSIVE walk AS (
          (SELECT caller, 1 AS place FROM (${next(`${key} >= arc.low`)}) AS first)
          UNION ALL
          SELECT next.caller, walk.place + 1 FROM walk CROSS JOIN LATERAL (${next(`${key} > walk.caller`)}) AS next
          WHERE walk.place < ${CALLERS_VISITED_MAX}
        )
        SELECT caller FROM walk) AS walk
      WHERE ${isDue} LIMIT ${CALLERS_CLAIMED_MAX}) AS c`;
}

/** A part of the ring of accounts that a claim has visited. */
export interface Visit {
  /** The accounts with work that the claim has locked. */
  accountIds: string[];
  /** Whether another process claims work of an account of this part. */
  hasSkipped: boolean;
  /** Where the next claim continues: `FIRST_ID` at the end of the ring. */
  next: string;
}

export function toVisit(rows: readonly { accountId: string; isLocked: boolean | null }[]): Visit {
  const open = rows.filter(({ isLocked }) => isLocked !== null);
  const isEnd = rows.length < ACCOUNTS_VISITED_MAX && open.length < ACCOUNTS_CLAIMED_MAX;
  return {
    accountIds: open.filter(({ isLocked }) => isLocked).map(({ accountId }) => accountId),
    hasSkipped: open.some(({ isLocked }) => !isLocked),
    next: isEnd ? FIRST_ID : rows.at(-1)!.accountId,
  };
}

/** Where a process is in the ring of accounts. A round visits all of them, and begins where the last one was interrupted. */
export class AccountRing {
  #next = FIRST_ID;
  #isFromStart = true;

  get next(): string {
    return this.#next;
  }

  startRound(): void {
    this.#isFromStart = this.#next === FIRST_ID;
  }

  /** Returns whether accounts are left in this round. */
  advance(next: string): boolean {
    this.#next = next;
    if (next !== FIRST_ID) return true;
    const isOver = this.#isFromStart;
    this.#isFromStart = true;
    return !isOver;
  }
}
