import type pg from 'pg';
import { decideAdmission, optimisticLegs } from '../../domain/decide-admission.js';
import { type HoldLeg, type HoldTerms, holdFromRow, spareLimits } from '../../domain/hold.js';
import type { AdmissionPlan, Refused } from '../../domain/plan-admission.js';
import type { Subject } from '../../domain/subject.js';
import { availableFunds, lockAccounts } from '../../store/accounts.js';
import { findHolds, type HoldRow, holdAllOrNothing, insertHolds, type NewHold } from '../../store/holds/open-holds.js';
import { type RefusedRequest, tellOwners } from './append-admission-blocked.js';

export interface Held {
  kind: 'admitted';
  outputTokens: bigint;
  legs: readonly HoldLeg[];
  terms: HoldTerms;
  revision: number;
  /** Of a hold that has ended before: nothing is held under this id. */
  ending?: 'released' | 'settled';
}

export interface AdmitItem {
  holdId: string;
  ownerAccountId: string;
  requestId: string;
  subject: Subject;
  plan: AdmissionPlan;
  ttlMs: number;
}

export type AdmitResult = Held | Refused;

const UNIQUE_VIOLATION = '23505';
/** State of a hold that has not ended. */
const OPEN = 0;

/** The common case: all that is waiting fits, one statement. Anything else is decided one by one under lock. */
export async function admitTogether(client: pg.Client, items: AdmitItem[]): Promise<AdmitResult[]> {
  const holds = items.map((item) =>
    newHold(item, item.plan.outputTokensWanted, optimisticLegs(item.plan, item.subject.accounts)),
  );
  try {
    if (await holdAllOrNothing(client, holds)) return holds.map(heldAs);
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
  }
  return admitOneByOne(client, items);
}

/** Exact under scarcity: accounts locked in id order, items decided in arrival order, repeated ids answered as before. */
export async function admitOneByOne(client: pg.Client, items: AdmitItem[]): Promise<AdmitResult[]> {
  await client.query('BEGIN');
  try {
    const locked = await lockAccounts(
      client,
      items.flatMap((item) => Object.values(item.subject.accounts)),
    );
    const rows = await findHolds(
      client,
      items.map((item) => item.holdId),
    );
    const known = new Map(rows.map((row) => [row.request_id, holdFromRow(row)]));
    const endings = new Map(rows.map((row) => [row.request_id, endingOf(row)]));
    const free = new Map([...locked].map(([id, row]) => [id, availableFunds(row)]));
    const holds: NewHold[] = [];
    const results = items.map((item): AdmitResult => {
      const before = known.get(item.holdId);
      if (before) {
        const { terms, legs, revision } = before;
        const ending = endings.get(item.holdId);
        const outputTokens = BigInt(terms.maxOutputTokens);
        return { kind: 'admitted', outputTokens, legs, terms, revision, ...(ending && { ending }) };
      }
      const decision = decideAdmission(item.plan, item.subject.accounts, (account) => free.get(account));
      if (decision.kind === 'refused') return decision;
      for (const leg of decision.legs) {
        const left = free.get(leg.account);
        if (left !== undefined) free.set(leg.account, left - leg.amount);
      }
      const hold = newHold(item, decision.outputTokens, decision.legs);
      holds.push(hold);
      const held = heldAs(hold);
      known.set(item.holdId, {
        holdId: item.holdId,
        ownerAccountId: hold.ownerAccountId,
        revision: 0,
        terms: hold.terms,
        legs: hold.legs,
      });
      return held;
    });
    if (holds.length > 0) await insertHolds(client, holds);
    await tellOwners(client, refusalsOf(items, results), locked);
    await client.query('COMMIT');
    return results;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function endingOf({ state, customer_microcents: customer, owner_microcents: owner }: HoldRow): Held['ending'] {
  if (state === OPEN) return undefined;
  return (customer ?? 0n) + (owner ?? 0n) > 0n ? 'settled' : 'released';
}

function refusalsOf(items: readonly AdmitItem[], results: readonly AdmitResult[]): RefusedRequest[] {
  return items.flatMap(({ subject, requestId }, i) => {
    const refused = results[i];
    if (refused?.kind !== 'refused') return [];
    return [{ ownerAccountId: subject.ownerAccountId, projectId: subject.projectId, requestId, refused }];
  });
}

function heldAs(hold: NewHold): Held {
  const { terms, legs } = hold;
  return { kind: 'admitted', outputTokens: BigInt(terms.maxOutputTokens), legs, terms, revision: 0 };
}

function newHold(item: AdmitItem, outputTokens: bigint, legs: readonly HoldLeg[]): NewHold {
  const { subject, plan } = item;
  const spare = spareLimits(subject.accounts, legs);
  return {
    holdId: item.holdId,
    ownerAccountId: subject.ownerAccountId,
    legs,
    ttlMs: item.ttlMs,
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
      ...(spare && { spare }),
    },
  };
}
