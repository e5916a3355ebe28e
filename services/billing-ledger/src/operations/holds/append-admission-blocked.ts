import { appendEvents, eventTypes, newEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import { type BlockInfo, toBlockInfo } from '../../domain/decide-admission.js';
import type { Refused } from '../../domain/plan-admission.js';
import type { AccountRow } from '../../store/accounts.js';
import { claimBlocks } from '../../store/gen/holds/admission-blocks.js';

/** A refusal with the account, project and id of its request. */
export interface RefusedRequest {
  ownerAccountId: string;
  projectId: string;
  requestId: string;
  refused: Refused;
}

/**
 * Appends `account.admission_blocked` for refusals by the owner's limits, in the transaction that decides them: at most once
 * per project and code every 15 minutes, and not for requests that the edge will retry with an exact token count. Returns
 * the ids of the requests that the events name.
 */
export async function appendAdmissionBlockedEvents(
  tx: Queryable,
  requests: readonly RefusedRequest[],
  locked: ReadonlyMap<bigint, AccountRow>,
): Promise<ReadonlySet<string>> {
  const blocked = new Map<string, { request: RefusedRequest; info: BlockInfo }>();
  for (const request of requests) {
    if (request.refused.mayFitCounted) continue;
    const account = request.refused.shortage?.account;
    const cap = account === undefined ? undefined : locked.get(account)?.limit_microcents;
    const info = toBlockInfo(request.refused, cap ?? undefined);
    const key = `${request.projectId}/${info?.refusalCode}`;
    if (info && !blocked.has(key)) blocked.set(key, { request, info });
  }
  if (blocked.size === 0) return new Set();
  const blocks = [...blocked.values()];
  // Of concurrent callers, one claims a block.
  const claimed = await claimBlocks(tx, {
    projectIds: blocks.map(({ request }) => request.projectId),
    refusalCodes: blocks.map(({ info }) => info.refusalCode),
  });
  const announced = claimed.flatMap(({ projectId, refusalCode }) => blocked.get(`${projectId}/${refusalCode}`) ?? []);
  await appendEvents(
    tx,
    announced.map(({ request, info }) => toEvent(request, info)),
  );
  return new Set(announced.map(({ request }) => request.requestId));
}

function toEvent({ ownerAccountId, projectId, requestId }: RefusedRequest, info: BlockInfo) {
  return newEvent(eventTypes.admissionBlocked, {
    key: ownerAccountId,
    requestId,
    message: { accountId: ownerAccountId, projectId, ...info },
  });
}
