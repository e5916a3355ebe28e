import { type ReleaseRequest, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import { UsageSchema } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { toUsedUnits } from './settle.js';

/** As many as a batch has items. */
const IDS_MAX = 1_000;

/**
 * Ends holds under which nothing was served. Uses the ledger writer as settlements do, so that it waits for an admission
 * of the same id and goes before other admissions. Repeating it changes nothing. A hold of another account is left as it is.
 *
 * @throws AppError INVALID_INPUT for ids that are not UUIDs, or too many of them
 */
export async function releaseHolds(
  ctx: Pick<Context, 'logger' | 'openHolds' | 'relay' | 'storesCompletions' | 'writer'>,
  { holdIds, facts }: ReleaseRequest,
  call: Call,
): Promise<void> {
  if (holdIds.length > IDS_MAX) throw new AppError('INVALID_INPUT', `at most ${IDS_MAX} hold_ids are allowed`);
  if (!holdIds.every((id) => isLowerCaseUuid(id)))
    throw new AppError('INVALID_INPUT', 'hold_ids must be lower-case UUIDs');
  const owner = call.requirePrincipal();
  const releases = [...new Set(holdIds)].map(async (holdId) => {
    const hold = ctx.openHolds.take(holdId, owner.accountId);
    const { outcome } = await ctx.writer.settle(
      {
        holdId,
        ownerAccountId: owner.accountId,
        kind: 'release',
        isInDoubt: false,
        used: toUsedUnits(undefined),
        usage: createMessage(UsageSchema),
        facts,
        owner,
        traceparent: call.traceparent,
        storesCompletion: ctx.storesCompletions,
        hold,
      },
      call,
    );
    if (outcome !== SettleOutcome.UNKNOWN_REQUEST) return;
    ctx.logger.warn({ hold_id: holdId, owner_account_id: owner.accountId }, 'hold of another account not released');
  });
  await Promise.all(releases);
  ctx.relay.wake();
}
