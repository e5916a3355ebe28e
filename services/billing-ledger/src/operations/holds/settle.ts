import {
  type RecordProgressRequest,
  SettleOutcome,
  type SettleRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { type HoldSnapshot, tombstoneTerms } from '../../domain/hold.js';
import type { AdmissionCatalog, UsedUnits } from '../../domain/price.js';
import type { SettleItem, SettleResult } from './settle-item.js';

/** Ends a hold with the reported usage; a report without usage releases it. Idempotent. */
export async function settle(
  ctx: Pick<Context, 'logger' | 'models' | 'openHolds' | 'relay' | 'storesCompletions' | 'thresholds' | 'writer'>,
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
    termsIfLost: () => termsFromReport(ctx.models, req, call),
  };
  const result = await ctx.writer.settle(item, call);
  if (result.outcome === SettleOutcome.UNKNOWN_REQUEST) reportLost(ctx.logger, item, result);
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

/** Postpones a hold's expiry and stores its progress, which the verdict charges if the hold expires. Returns whether it is open. */
export async function recordProgress(ctx: Pick<Context, 'progress'>, req: RecordProgressRequest): Promise<boolean> {
  const { inputTokens, outputTokens } = toUsedUnits(req.usage);
  if (inputTokens < 0n || outputTokens < 0n) throw new AppError('INVALID_INPUT', 'usage must not be negative');
  if (!isUuid(req.holdId)) throw new AppError('INVALID_INPUT', 'the hold id must be a UUID');
  return ctx.progress.record({ holdId: req.holdId, inputTokens, outputTokens });
}

/** Returns what a report and its caller tell about a hold, at the catalog's price. */
function termsFromReport(models: AdmissionCatalog, { facts }: SettleRequest, call: Call): HoldSnapshot | undefined {
  const { principal, requestId } = call;
  if (!principal || !facts?.modelId) return undefined;
  const terms = tombstoneTerms(principal.projectId);
  return {
    ...terms,
    requestId,
    customerId: principal.customerId || undefined,
    customerExternalId: principal.customerExternalId || undefined,
    keyId: principal.keyId || undefined,
    tierCode: principal.tierCode || undefined,
    modelId: facts.modelId,
    providerPrice: models.find(facts.modelId)?.price ?? terms.providerPrice,
  };
}

/** The alert on unknown holds leads operators to this line. */
function reportLost(
  logger: Context['logger'],
  { holdId, owner, used, facts }: SettleItem,
  { booked }: SettleResult,
): void {
  const fields = {
    hold_id: holdId,
    owner_account_id: owner?.accountId,
    customer_id: (owner as Principal | undefined)?.customerId,
    model_id: booked?.model ?? facts?.modelId,
    input_tokens: String(used.inputTokens),
    output_tokens: String(used.outputTokens),
    images: String(used.images),
    is_booked: booked !== undefined,
  };
  logger.error(fields, 'settlement of a hold that the database does not know');
}

export function toUsedUnits(usage: Usage | undefined): UsedUnits {
  return {
    inputTokens: usage?.inputTokens ?? 0n,
    outputTokens: usage?.outputTokens ?? 0n,
    images: BigInt(usage?.images ?? 0),
    toolFeeTokens: usage?.toolFeeTokens ?? 0n,
    cachedInputTokens: usage?.cacheReadInputTokens ?? 0n,
    feeMicrocents: usage?.feeMicrocents ?? 0n,
    providerMicrocents: usage?.providerMicrocents,
  };
}
