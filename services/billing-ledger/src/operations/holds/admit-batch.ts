import { hasCode, type Tx, UNIQUE_VIOLATION } from '@tollgate/postgres';
import { decideAdmission } from '../../domain/decide-admission.js';
import { HOLD_STATES, type Hold, type HoldLeg, holdFromRow, unheldLimits } from '../../domain/hold.js';
import { type AdmissionPlan, optimisticLegs, type Refused } from '../../domain/plan-admission.js';
import type { Subject } from '../../domain/subject.js';
import { availableFunds, lockAccounts } from '../../store/accounts.js';
import { type Connection, inTransaction } from '../../store/database.js';
import { findHolds, type HoldRow, holdAllOrNothing, insertHolds, type NewHold } from '../../store/holds/open-holds.js';
import { appendAdmissionBlockedEvents, type RefusedRequest } from './append-admission-blocked.js';

export interface Held {
  kind: 'admitted';
  hold: Hold;
  /** Set if the hold had already ended: nothing is held under its id. */
  outcome?: 'released' | 'settled';
}

export interface AdmitItem {
  holdId: string;
  ownerAccountId: string;
  requestId: string;
  subject: Subject;
  plan: AdmissionPlan;
  ttlMs: number;
  /** The caller asks again after a refusal, which is therefore not announced. */
  isTentative: boolean;
}

/** `isAnnounced`: `account.admission_blocked` was emitted for this refusal. */
export type AdmitResult = Held | (Refused & { isAnnounced?: boolean });

/** Writes a batch in one statement if everything fits, which is the common case. Decides one by one under lock otherwise. */
export async function admitTogether(client: Connection, items: AdmitItem[]): Promise<AdmitResult[]> {
  const holds = items.map(toWantedHold);
  try {
    if (await holdAllOrNothing(client, holds)) return toAdmitted(holds);
  } catch (error) {
    if (!hasCode(error, UNIQUE_VIOLATION)) throw error;
  }
  return admitOneByOne(client, items);
}

/** Returns the hold of an item for the case that everything fits. */
export function toWantedHold(item: AdmitItem): NewHold {
  return toNewHold(item, item.plan.outputTokensWanted, optimisticLegs(item.plan));
}

/** Returns the results of a batch that is written in full. */
export function toAdmitted(holds: readonly NewHold[]): Held[] {
  return holds.map(({ hold }) => ({ kind: 'admitted', hold }));
}

/**
 * Decides items in arrival order on accounts locked in id order, so that it is exact when funds are scarce. A repeated id
 * gets the same result as before.
 */
export function admitOneByOne(client: Connection, items: AdmitItem[]): Promise<AdmitResult[]> {
  return inTransaction(client, (tx) => decideUnderLock(tx, items));
}

async function decideUnderLock(tx: Tx, items: AdmitItem[]): Promise<AdmitResult[]> {
  const locked = await lockAccounts(
    tx,
    items.flatMap((item) => Object.values(item.subject.accounts)),
  );
  const rows = await findHolds(
    tx,
    items.map((item) => item.holdId),
  );
  const known = new Map(rows.map((row) => [row.request_id, toHeld(row)]));
  const free = new Map([...locked].map(([id, row]) => [id, availableFunds(row)]));
  const admitted: NewHold[] = [];
  const results = items.map((item): AdmitResult => {
    const before = known.get(item.holdId);
    if (before) return before;
    const decision = decideAdmission(item.plan, (account) => free.get(account));
    if (decision.kind === 'refused') return decision;
    const freeBefore = decision.legs.map(({ account }) => free.get(account));
    for (const leg of decision.legs) {
      const left = free.get(leg.account);
      if (left !== undefined) free.set(leg.account, left - leg.amount);
    }
    const added = toNewHold(item, decision.outputTokens, decision.legs);
    const held: Held = { kind: 'admitted', hold: added.hold };
    admitted.push({ ...added, freeBefore });
    known.set(item.holdId, held);
    return held;
  });
  if (admitted.length > 0) await insertHolds(tx, admitted);
  const announced = await appendAdmissionBlockedEvents(tx, refusedRequests(items, results), locked);
  if (announced.size === 0) return results;
  return results.map((result, i) => {
    const isAnnounced = result.kind === 'refused' && announced.has(items[i]?.requestId ?? '');
    return isAnnounced ? { ...result, isAnnounced } : result;
  });
}

function toHeld(row: HoldRow): Held {
  const held: Held = { kind: 'admitted', hold: holdFromRow(row) };
  if (row.state === HOLD_STATES.open) return held;
  const charged = (row.customer_microcents ?? 0n) + (row.owner_microcents ?? 0n);
  return { ...held, outcome: charged > 0n ? 'settled' : 'released' };
}

function refusedRequests(items: readonly AdmitItem[], results: readonly AdmitResult[]): RefusedRequest[] {
  return items.flatMap(({ subject, requestId, isTentative }, i) => {
    const refused = results[i];
    if (refused?.kind !== 'refused' || isTentative) return [];
    return [{ ownerAccountId: subject.ownerAccountId, projectId: subject.projectId, requestId, refused }];
  });
}

function toNewHold(item: AdmitItem, outputTokens: bigint, legs: readonly HoldLeg[]): NewHold {
  const { subject, plan } = item;
  const hold: Hold = {
    holdId: item.holdId,
    ownerAccountId: subject.ownerAccountId,
    revision: 0,
    legs,
    terms: {
      requestId: item.requestId,
      projectId: subject.projectId,
      customerId: subject.customer?.id,
      customerExternalId: subject.customer?.externalId,
      keyId: subject.keyId,
      tierId: subject.tier?.id,
      tierCode: subject.tier?.code,
      modelId: plan.modelId,
      customerPrice: plan.customerPrice,
      providerPrice: plan.providerPrice,
      windowStartMs: subject.window.startMs,
      inputTokensEstimate: Number(plan.inputTokens),
      maxOutputTokens: Number(outputTokens),
      images: Number(plan.images),
      ...(plan.feeMicrocents > 0n && { feeMicrocents: plan.feeMicrocents }),
      ...(plan.ownConnections && { ownConnections: plan.ownConnections }),
      spare: unheldLimits(subject.accounts, legs),
    },
  };
  return { hold, ttlMs: item.ttlMs };
}
