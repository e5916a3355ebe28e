import {
  FIRST_ID,
  KeyWalk,
  type KeyWalkOptions,
  type Tx,
  toVisit,
  type Visit,
  type VisitedKey,
} from '@tollgate/postgres';

/** Sorts after every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The accounts that one claim visits, and those of them with work for it. */
const ACCOUNTS_VISITED_MAX = 64;
const ACCOUNTS_CLAIMED_MAX = 8;

/** Returns the visit of a statement that walks accounts up to these bounds. */
export function toAccountVisit(rows: readonly VisitedKey[]): Visit {
  return toVisit(rows, { visitedMax: ACCOUNTS_VISITED_MAX, foundMax: ACCOUNTS_CLAIMED_MAX });
}

/** The same for the callers of an account: visited from `from` to the last one, and from the first one to `from`. */
const CALLERS_VISITED_MAX = 128;
const CALLERS_CLAIMED_MAX = 32;

export interface Key {
  table: string;
  /** SQL of the value that is walked, as an index of the table has it. */
  key: string;
  where: string;
}

/** The accounts with waiting work in a table; claims visit them in turn. */
export function walkAccounts(walk: Omit<KeyWalkOptions, 'key' | 'visitedMax'>): AccountWalk {
  const keys = new KeyWalk({ ...walk, key: 'account_id', visitedMax: ACCOUNTS_VISITED_MAX });
  return { visit: (tx, after, ...values) => keys.visit(tx, after, ACCOUNTS_CLAIMED_MAX, ...values) };
}

export interface AccountWalk {
  visit(tx: Tx, after: string, ...values: unknown[]): Promise<Visit>;
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
