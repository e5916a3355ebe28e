import type pg from 'pg';
import { type Extended, type ExtensionInput, extendHold } from '../../domain/extend-hold.js';
import { HOLD_STATES, holdFromRow, limitsOf } from '../../domain/hold.js';
import type { Refused } from '../../domain/plan-admission.js';
import { availableFunds, lockAccounts } from '../../store/accounts.js';
import { findHolds, growHolds, lockHolds } from '../../store/holds/open-holds.js';
import { type RefusedRequest, tellOwners } from './append-admission-blocked.js';

export interface ExtendItem {
  holdId: string;
  ownerAccountId: string;
  input: ExtensionInput;
  ttlMs: number;
}

export type ExtendResult = Extended | Refused | { kind: 'ended' };

/**
 * Decides extensions in arrival order under lock: accounts in id order, then the holds. Repeating it is safe: an
 * extension that is written already adds nothing.
 */
export async function extendTogether(client: pg.Client, items: ExtendItem[]): Promise<ExtendResult[]> {
  const ids = [...new Set(items.map((item) => item.holdId))];
  // A hold's limits never grow after its admission, so those seen now cover what is found under lock.
  const seen = (await findHolds(client, ids)).map(holdFromRow);
  await client.query('BEGIN');
  try {
    const locked = await lockAccounts(
      client,
      seen.flatMap((hold) => Object.values(limitsOf(hold))),
    );
    const open = (await lockHolds(client, ids)).filter((row) => row.state === HOLD_STATES.open);
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
        const { projectId, requestId } = terms;
        refusals.push({ ownerAccountId, projectId, requestId, refused: decision });
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
    if (changed.length > 0) await growHolds(client, changed, added, items[0]?.ttlMs ?? 0);
    await tellOwners(client, refusals, locked);
    await client.query('COMMIT');
    return results;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
