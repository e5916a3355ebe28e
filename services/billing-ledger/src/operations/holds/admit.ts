import type { MessageInitShape } from '@bufbuild/protobuf';
import { type AdmitRequest, type AdmitResponseSchema, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { RequestExtras } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import {
  isRefused,
  planAdmission,
  type Refused,
  requestedModel,
  subscriptionRefusal,
} from '../../domain/plan-admission.js';
import { toAdmission } from './admission-answer.js';
import { joinWholeHold, supersedeHolds } from './supersede-hold.js';

type AdmissionContext = Pick<
  Context,
  'config' | 'logger' | 'metrics' | 'models' | 'openHolds' | 'pool' | 'relay' | 'subjects' | 'writer'
>;

/** Decides a request over all limits that apply, all or nothing. Refusals are responses, not errors. */
export async function admit(
  ctx: AdmissionContext,
  req: AdmitRequest,
  call: Call,
): Promise<MessageInitShape<typeof AdmitResponseSchema>> {
  const answer = await decide(ctx, req, call);
  const { decision } = answer;
  if (decision?.case === 'refused') {
    // The request that follows a tentative one is counted.
    if (!req.isTentative) ctx.metrics.refused(decision.value.code ?? '');
  } else if (!decision?.value?.hasEnded) ctx.metrics.admitted.add();
  return answer;
}

async function decide(
  ctx: AdmissionContext,
  req: AdmitRequest,
  call: Call,
): Promise<MessageInitShape<typeof AdmitResponseSchema>> {
  if (!isLowerCaseUuid(req.holdId)) throw new AppError('INVALID_INPUT', 'hold_id must be a lower-case UUID');
  // Negative counts would add to the free funds.
  if (req.inputTokensEstimate < 0n || (req.maxOutputTokens ?? 0) < 0 || req.images < 0 || req.answers < 0)
    throw new AppError('INVALID_INPUT', 'token and image counts must not be negative');
  const principal = call.requirePrincipal();
  // Supersede before any refusal: the caller no longer tracks the earlier attempt, even if this one is refused.
  if (req.supersedesHoldId) await supersedeHolds(ctx, [req.supersedesHoldId], principal);
  if (req.partOfHoldId) await joinWholeHold(ctx, req.partOfHoldId, req.holdId, principal);
  const subject = await ctx.subjects.get(principal);
  const inactive = subscriptionRefusal(subject);
  if (inactive) return refusal(inactive);
  const requested = requestedModel(subject, req.model);
  if (isRefused(requested)) return refusal(requested);
  const plan = planAdmission(subject, requested, ctx.models.find(requested), {
    kind: req.kind === MeteredKind.IMAGES ? 'images' : 'text',
    inputTokensEstimate: Number(req.inputTokensEstimate),
    maxOutputTokens: req.maxOutputTokens,
    images: req.images,
    isEstimateLoose: req.estimateIsLoose,
    answers: req.answers || 1,
    extras: requireExtras(req.extras),
  });
  if (isRefused(plan)) return refusal(plan);
  const held = await ctx.writer.admit(
    {
      holdId: req.holdId,
      ownerAccountId: subject.ownerAccountId,
      requestId: call.requestId,
      subject,
      plan,
      ttlMs: ctx.config.holdTtlMs,
      isTentative: req.isTentative,
    },
    call,
  );
  if (held.kind === 'refused') {
    ctx.relay.wake();
    // Customers get a 503 without a reason, because they must not learn about the owner's funds.
    if (held.isAnnounced) {
      const facts = { project_id: subject.projectId, owner_account_id: subject.ownerAccountId, code: held.code };
      ctx.logger.warn({ ...facts, request_id: call.requestId }, 'admission refused by a limit of the owner account');
    }
    return refusal(held);
  }
  const { hold, outcome } = held;
  const admission = toAdmission(hold, ctx.config.holdTtlMs);
  if (outcome) {
    const value = { ...admission, hasEnded: true, wasReleased: outcome === 'released' };
    return { decision: { case: 'admitted', value } };
  }
  ctx.openHolds.remember(hold);
  return { decision: { case: 'admitted', value: admission } };
}

const TOOL_USES_MAX = 1_000;

/** @throws AppError INVALID_INPUT for counts that no request can cause */
export function requireExtras(extras: RequestExtras | undefined): RequestExtras | undefined {
  const isValid = (count: number) => count >= 0 && count <= TOOL_USES_MAX;
  if (!extras || (isValid(extras.searches) && isValid(extras.codeRuns))) return extras;
  throw new AppError('INVALID_INPUT', `searches and code runs must be 0 to ${TOOL_USES_MAX}`);
}

function refusal(refused: Refused): MessageInitShape<typeof AdmitResponseSchema> {
  const { code, message, mayFitCounted, shortage, checked = [] } = refused;
  const payer = checked.findIndex(({ account }) => account === shortage?.account);
  const limits = checked.map(({ role, required, available }, i) => ({
    limit: role,
    required,
    ...(available !== undefined && { available }),
    // All limits of the payer that cannot pay; it is the last one.
    hasRefused: i >= payer,
  }));
  return { decision: { case: 'refused', value: { code, message, mayFitCounted: mayFitCounted === true, limits } } };
}
