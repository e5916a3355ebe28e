import type { Tx } from '@tollgate/postgres';
import { type Extended, type ExtensionInput, extendHold } from '../../domain/extend-hold.js';
import { applicableLimits, HOLD_STATES, type Hold, holdFromRow } from '../../domain/hold.js';
import type { Refused } from '../../domain/plan-admission.js';
import { availableFunds, lockAccounts } from '../../store/accounts.js';
import { type Connection, inTransaction } from '../../store/database.js';
import { findHolds, growHolds, lockHolds } from '../../store/holds/open-holds.js';
import { appendAdmissionBlockedEvents, type RefusedRequest } from './append-admission-blocked.js';

export interface ExtendItem {
  holdId: string;
  ownerAccountId: string;
  input: ExtensionInput;
  ttlMs: number;
}

export type ExtendResult = Extended | Refused | { kind: 'ended' };

/**
 * Decides extensions in arrival order under lock: accounts in id order, then the holds. Safe to repeat: an extension that is
 * already written adds nothing.
 */
export async function extendTogether(client: Connection, items: ExtendItem[]): Promise<ExtendResult[]> {
  const ids = [...new Set(items.map((item) => item.holdId))];
  // A hold gets no limits after its admission, so the limits read here cover those of the locked rows.
  const seen = (await findHolds(client, ids)).map(holdFromRow);
  return inTransaction(client, (tx) => decideUnderLock(tx, items, ids, seen));
}

async function decideUnderLock(
  tx: Tx,
  items: ExtendItem[],
  ids: readonly string[],
  seen: readonly Hold[],
): Promise<ExtendResult[]> {
  const locked = await lockAccounts(
    tx,
    seen.flatMap((hold) => Object.values(applicableLimits(hold))),
  );
  const open = (await lockHolds(tx, ids)).filter((row) => row.state === HOLD_STATES.open);
  const holds = new Map(open.map((row) => [row.request_id, holdFromRow(row)]));
  const free = new Map([...locked].map(([id, row]) => [id, availableFunds(row)]));
  const added = new Map<bigint, bigint>();
  const grown = new Set<string>();
  const refusals: RefusedRequest[] = [];
  const results = items.map((item): ExtendResult => {
    const hold = holds.get(item.holdId);
    if (!hold) return { kind: 'ended' };
    const decision = extendHold(hold, item.input, (account) => free.get(account));
    if (decision.kind === 'refused') {
      const { ownerAccountId, terms } = hold;
      refusals.push({ ownerAccountId, projectId: terms.projectId, requestId: terms.requestId, refused: decision });
      return decision;
    }
    holds.set(item.holdId, decision.hold);
    if (decision.hold !== hold) grown.add(item.holdId);
    for (const leg of decision.added) {
      const left = free.get(leg.account);
      if (left !== undefined) free.set(leg.account, left - leg.amount);
      added.set(leg.account, (added.get(leg.account) ?? 0n) + leg.amount);
    }
    return decision;
  });
  const changed = [...holds.values()].filter((hold) => grown.has(hold.holdId));
  if (changed.length > 0) await growHolds(tx, changed, added, items[0]?.ttlMs ?? 0);
  await appendAdmissionBlockedEvents(tx, refusals, locked);
  return results;
}
