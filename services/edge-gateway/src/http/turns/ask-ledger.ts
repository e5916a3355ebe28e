import type { CatalogModel } from '@tollgate/catalog';
import { type Admission, type AdmitResponse, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError, type Audience, isErrorCode, isRefusalCode, refusalError } from '@tollgate/errors';
import { type Call, wasNotDelivered } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { takenOver } from '../../operations/begin-idempotent.js';
import type { RequestIds } from '../exchange/request-id.js';
import { releaseHold } from './release-hold.js';

/** What admission has to know of a request, whoever serves it. */
export interface Spender {
  ctx: Context;
  ids: RequestIds;
  audience: Audience;
  route: { path: string; unknownModel(model: string): AppError };
}

/** What may be spent at most, in the model's own unit. */
export interface SpendTerms {
  /** As the client named it; undefined = the tier's default. */
  model: string | undefined;
  inputTokensEstimate: number;
  maxOutputTokens: number | undefined;
  estimateIsLoose?: boolean;
  /** Set for images, which are charged by the piece. */
  images?: number;
}

type Decision = AdmitResponse['decision'];

const ADMIT_TIMEOUT_MS = 10_000;

/** Asks for funds. What may have been reserved when the answer got lost is released behind the caller's back. */
export async function askLedger(spender: Spender, terms: SpendTerms, call: Call): Promise<Decision> {
  const { model, inputTokensEstimate, maxOutputTokens, estimateIsLoose = false, images } = terms;
  const request = {
    holdId: spender.ids.holdId,
    kind: images === undefined ? MeteredKind.TEXT : MeteredKind.IMAGES,
    model: model ?? '',
    inputTokensEstimate: BigInt(inputTokensEstimate),
    estimateIsLoose,
    ...(images === undefined ? {} : { images }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  try {
    const { decision } = await spender.ctx.clients.billing.admit(request, call.with({ timeoutMs: ADMIT_TIMEOUT_MS }));
    if (decision.case === 'admitted') spender.ctx.tierLimits.note(call.requirePrincipal(), decision.value.tierCode);
    return decision;
  } catch (error) {
    // The outcome of a call that left is unknown; the client is not kept waiting for the release.
    if (wasNotDelivered(error)) spender.ids.isUndispatched = true;
    else void releaseHold(spender, call, 'CANCELED');
    throw error;
  }
}

/** The ledger knows prices, not abilities: whether it refused because the model cannot do at all what it is asked for. */
export function isUnable(
  decision: Decision,
  model: CatalogModel | undefined,
  capability: CatalogModel['capabilities'][number],
): model is CatalogModel {
  const isInvalid = decision.case === 'refused' && decision.value.code === 'INVALID_INPUT';
  return isInvalid && model !== undefined && !model.capabilities.includes(capability);
}

/**
 * Returns the admission, or throws the refusal. `known` is the model as the catalog here has it.
 *
 * @throws AppError for a refusal, as its reader may see it; CONFLICT when a repeat has superseded this attempt
 */
export function admissionOf(
  { route, audience, ids }: Spender,
  decision: Decision,
  named: string | undefined,
  known: CatalogModel | undefined,
): Admission {
  if (decision.case === undefined) throw new AppError('INTERNAL_ERROR', 'internal error');
  if (decision.case === 'admitted') {
    if (decision.value.hasEnded) throw takenOver();
    return decision.value;
  }
  ids.isUndispatched = true;
  const { code, message } = decision.value;
  if (isRefusalCode(code)) throw refusalError(code, audience);
  if (code === 'INVALID_INPUT' && named !== undefined && !known) throw route.unknownModel(named);
  throw new AppError(isErrorCode(code) ? code : 'PAYMENT_REQUIRED', message);
}
