import { hasCode, type Queryable, UNIQUE_VIOLATION } from '@tollgate/postgres';
import { defineColumns, number } from '@tollgate/postgres/columns';
import { fitsAll, insertSeenHolds, NEW_HOLDS, type NewHold, placeHolds, SEEN, sumNeeds } from './open-holds.js';
import {
  type AccountSum,
  encodeSettlements,
  endedAll,
  endHolds,
  isNotEnded,
  type SettlementWrite,
  SUMS,
  sumByAccount,
} from './settle-holds.js';

/** What settlements take from an account, and what admissions need of it afterwards. */
interface AccountChange extends AccountSum {
  needed: bigint;
}

const CHANGES = defineColumns<AccountChange>({
  id: number('bigint', (c) => c.id),
  held: number('bigint', (c) => c.held),
  posted: number('bigint', (c) => c.posted),
  needed: number('bigint', (c) => c.needed),
});

const CHANGES_AT = 1;
const NEW_HOLDS_AT = CHANGES_AT + CHANGES.parameterCount;
const SETTLEMENTS_AT = NEW_HOLDS_AT + NEW_HOLDS.parameterCount;

/**
 * Ends a batch of holds as `settle_all_or_nothing` does, and writes a batch of new ones as `hold_all_or_nothing` does: one
 * commit serves both, and each account is locked and changed once. Funds that the ended holds free count for the new ones.
 */
const SETTLE_AND_HOLD = `WITH locked AS (
    SELECT a.id, t.held, t.posted, t.needed,
      t.needed = 0 OR NOT a.is_enforced OR a.credits - a.debits - t.posted - a.held + t.held >= t.needed AS fits,
      CASE WHEN a.is_enforced THEN a.credits - a.debits - t.posted - a.held + t.held END AS free
    FROM ${CHANGES.unnest('t', CHANGES_AT)} JOIN accounts a ON a.id = t.id ORDER BY a.id
      -- fault point: lock no accounts
      FOR UPDATE OF a
  ), ${SEEN}, verdict AS (
    ${fitsAll(CHANGES_AT)}
  ), sums AS (
    UPDATE accounts a SET held = a.held - t.held + CASE WHEN v.ok THEN t.needed ELSE 0 END, debits = a.debits + t.posted
    FROM locked t, verdict v WHERE a.id = t.id
    RETURNING ${SUMS}
  ), written AS (
    ${insertSeenHolds(NEW_HOLDS_AT, '(SELECT ok FROM verdict)')} RETURNING 1
  ), ${endHolds(SETTLEMENTS_AT)}
  SELECT ${endedAll(SETTLEMENTS_AT)}, ok FROM verdict`;

export interface SettledAndHeld {
  hasReachedThreshold: boolean;
  /** False: the new holds do not all fit and none is written. */
  areHeld: boolean;
}

/**
 * Commits all settlements, and all new holds if they fit. Returns undefined, and writes nothing, if a hold cannot be ended
 * or a new one is already written.
 */
export async function settleAndHold(
  db: Queryable,
  writes: readonly SettlementWrite[],
  holds: readonly NewHold[],
): Promise<SettledAndHeld | undefined> {
  const changes = toChanges(writes, holds);
  const values = [
    ...CHANGES.encode(changes),
    ...NEW_HOLDS.encode(placeHolds(holds, changes)),
    ...encodeSettlements(writes),
  ];
  try {
    const { rows } = await db.query<{ reached: boolean; ok: boolean }>({
      name: 'settle_and_hold',
      text: SETTLE_AND_HOLD,
      values,
    });
    return { hasReachedThreshold: rows[0]?.reached === true, areHeld: rows[0]?.ok === true };
  } catch (error) {
    // A repeated admission conflicts with its hold.
    if (isNotEnded(error) || hasCode(error, UNIQUE_VIOLATION)) return undefined;
    throw error;
  }
}

function toChanges(writes: readonly SettlementWrite[], holds: readonly NewHold[]): AccountChange[] {
  const changes = new Map<bigint, AccountChange>();
  for (const { id, held, posted } of sumByAccount(writes)) changes.set(id, { id, held, posted, needed: 0n });
  for (const { id, needed } of sumNeeds(holds)) {
    const change = changes.get(id);
    if (change) change.needed = needed;
    else changes.set(id, { id, held: 0n, posted: 0n, needed });
  }
  return [...changes.values()];
}
