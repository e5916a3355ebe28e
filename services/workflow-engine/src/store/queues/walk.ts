import { toVisit, type Visit, type VisitedKey } from '@tollgate/postgres';

/** The accounts that one claim visits, and those of them with work for it. */
const ACCOUNTS_VISITED_MAX = 64;
const ACCOUNTS_CLAIMED_MAX = 8;
/** The same for the callers of an account: visited from the first one of the claim to the last one, and from the first of all. */
export const CALLERS_VISITED_MAX = 128;
export const CALLERS_CLAIMED_MAX = 32;

/** Returns the visit of a statement that walks accounts up to these bounds. */
export function toAccountVisit(rows: readonly VisitedKey[]): Visit {
  return toVisit(rows, { visitedMax: ACCOUNTS_VISITED_MAX, foundMax: ACCOUNTS_CLAIMED_MAX });
}
