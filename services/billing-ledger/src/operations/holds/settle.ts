import type { SettleRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { UsedUnits } from '../../domain/price.js';
import type { SettleItem, SettleResult } from './settle-item.js';

/** Ends a hold with the reported usage; a report without usage releases it. Idempotent. */
export async function settle(
  ctx: Pick<Context, 'logger' | 'openHolds' | 'relay' | 'storesCompletions' | 'thresholds' | 'writer'>,
  req: SettleRequest,
  call: Call,
): Promise<SettleResult> {
  const hold = ctx.openHolds.take(req.holdId);
  const item: SettleItem = {
    holdId: req.holdId,
    ownerAccountId: hold?.ownerAccountId ?? call.principal?.accountId ?? '',
    kind: 'report',
    isInDoubt: req.isInDoubt,
    unansweredCalls: req.unansweredCalls,
    used: toUsedUnits(req.usage),
    usage: req.usage,
    facts: req.facts,
    owner: call.principal,
    traceparent: call.traceparent,
    storesCompletion: ctx.storesCompletions,
    hold,
  };
  const result = await ctx.writer.settle(item, call);
  if (result.wasReplaced) {
    const { usage } = req;
    const reported = usage && {
      input_tokens: String(usage.inputTokens),
      output_tokens: String(usage.outputTokens),
      images: usage.images,
    };
    ctx.logger.error({ hold_id: req.holdId, reported }, 'reported usage not settled; settled an estimate instead');
  }
  if (result.hasReachedThreshold) ctx.thresholds.wake();
  ctx.relay.wake();
  return result;
}

export function toUsedUnits(usage: Usage | undefined): UsedUnits {
  return {
    inputTokens: usage?.inputTokens ?? 0n,
    outputTokens: usage?.outputTokens ?? 0n,
    images: BigInt(usage?.images ?? 0),
    toolFeeTokens: usage?.toolFeeTokens ?? 0n,
  };
}
