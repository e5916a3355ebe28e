import { appendEvents, eventTypes, newEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import { type BlockInfo, toBlockInfo } from '../../domain/admission-blocked.js';
import type { Refused } from '../../domain/plan-admission.js';
import type { AccountRow } from '../../store/accounts.js';
import { claimBlocks } from '../../store/holds/admission-blocks.js';

/** A refusal with whose request it was. */
export interface RefusedRequest {
  ownerAccountId: string;
  projectId: string;
  requestId: string;
  refused: Refused;
}

/**
 * Appends `account.admission_blocked` for refusals on the owner's side, in the transaction that decided them; the same
 * condition of the same project is told once in a quarter of an hour. What will be asked again, counted, is not told.
 */
export async function tellOwners(
  tx: Queryable,
  requests: readonly RefusedRequest[],
  locked: ReadonlyMap<bigint, AccountRow>,
): Promise<void> {
  const blocked = new Map<string, { request: RefusedRequest; facts: BlockInfo }>();
  for (const request of requests) {
    if (request.refused.mayFitCounted) continue;
    const account = request.refused.shortage?.account;
    const cap = account === undefined ? undefined : locked.get(account)?.limit_microcents;
    const facts = toBlockInfo(request.refused, cap ?? undefined);
    const key = `${request.projectId}/${facts?.refusalCode}`;
    if (facts && !blocked.has(key)) blocked.set(key, { request, facts });
  }
  if (blocked.size === 0) return;
  const blocks = [...blocked.values()].map(({ request, facts }) => ({ ...request, ...facts }));
  const claimed = await claimBlocks(tx, blocks);
  const events = claimed.flatMap(({ projectId, refusalCode }) => {
    const block = blocked.get(`${projectId}/${refusalCode}`);
    return block ? [eventOf(block.request, block.facts)] : [];
  });
  await appendEvents(tx, events);
}

function eventOf({ ownerAccountId, projectId, requestId }: RefusedRequest, facts: BlockInfo) {
  return newEvent(eventTypes.admissionBlocked, {
    key: ownerAccountId,
    requestId,
    message: { accountId: ownerAccountId, projectId, ...facts },
  });
}
