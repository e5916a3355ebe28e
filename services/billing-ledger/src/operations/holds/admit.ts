import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AdmissionSchema,
  type AdmitRequest,
  type AdmitResponseSchema,
  MeteredKind,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { OwnConnections, type RequestExtras } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import type { ConnectionMode } from '../../domain/connections/connection.js';
import { type Hold, heldMicrocents } from '../../domain/hold.js';
import {
  isRefused,
  planAdmission,
  type Refused,
  requestedModel,
  subscriptionRefusal,
} from '../../domain/plan-admission.js';
import type { PlannedModel, Price } from '../../domain/price.js';
import { type Subject, withoutProviderCost } from '../../domain/subject.js';
import type { AdmitResult } from './admit-batch.js';
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
  const model = ctx.models.find(requested);
  const own = req.passesOwnConnections && model ? subject.ownModels?.get(model.modelId) : undefined;
  const held = await holdFunds(ctx, req, call, { subject, requested, model, own });
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

interface Planned {
  subject: Subject;
  requested: string;
  model: PlannedModel | undefined;
  /** Whether connections of the project serve the model. */
  own: ConnectionMode | undefined;
}

/**
 * Holds what the request may cost. If the owner cannot pay for the installation's routes, a request that the project's own
 * connections serve may still use those only.
 */
async function holdFunds(
  ctx: AdmissionContext,
  req: AdmitRequest,
  call: Call,
  { subject, requested, model, own }: Planned,
): Promise<AdmitResult> {
  const paying = own === 'only' ? withoutProviderCost(subject) : subject;
  const plan = planAdmission(paying, requested, model, {
    kind: req.kind === MeteredKind.IMAGES ? 'images' : 'text',
    inputTokensEstimate: Number(req.inputTokensEstimate),
    maxOutputTokens: req.maxOutputTokens,
    images: req.images,
    isEstimateLoose: req.estimateIsLoose,
    answers: req.answers || 1,
    extras: requireExtras(req.extras),
    ownConnections: own,
  });
  if (isRefused(plan)) return plan;
  const item = {
    holdId: req.holdId,
    ownerAccountId: subject.ownerAccountId,
    requestId: call.requestId,
    subject: paying,
    plan,
    ttlMs: ctx.config.holdTtlMs,
    isTentative: req.isTentative || own === 'prefer',
  };
  const held = await ctx.writer.admit(item, call);
  if (own !== 'prefer' || held.kind !== 'refused') return held;
  return holdFunds(ctx, req, call, { subject, requested, model, own: 'only' });
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
    // The payer that cannot pay was checked last: from its first limit on, all have refused.
    hasRefused: i >= payer,
  }));
  return { decision: { case: 'refused', value: { code, message, mayFitCounted: mayFitCounted === true, limits } } };
}

/** Converts a hold to the response of its admission. */
export function toAdmission(
  { terms, legs }: Pick<Hold, 'terms' | 'legs'>,
  holdTtlMs: number,
): MessageInitShape<typeof AdmissionSchema> {
  return {
    modelId: terms.modelId,
    maxOutputTokens: terms.maxOutputTokens,
    customerPrice: terms.customerPrice && toPriceMessage(terms.customerPrice),
    providerPrice: toPriceMessage(terms.providerPrice),
    tierId: terms.tierId ?? '',
    tierCode: terms.tierCode ?? '',
    heldMicrocents: heldMicrocents(legs),
    holdTtlMs,
    ownConnections: toOwnConnections(terms.ownConnections),
  };
}

/** Converts a mode of connections to its message; absent: the installation's connections only. */
export function toOwnConnections(mode: ConnectionMode | undefined): OwnConnections {
  if (mode === undefined) return OwnConnections.UNSPECIFIED;
  return mode === 'only' ? OwnConnections.ONLY : OwnConnections.PREFER;
}

/** Converts a price to its message. */
export function toPriceMessage(price: Price) {
  return {
    inputPerMillionCents: price.inputPerMillionCents,
    outputPerMillionCents: price.outputPerMillionCents,
    perImageCents: price.perImageCents,
    ...(price.cachedInputPerMillionCents !== undefined && {
      cachedInputPerMillionCents: price.cachedInputPerMillionCents,
    }),
  };
}
