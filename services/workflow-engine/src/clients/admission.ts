import { inputOfResponses, type ResponsesBody } from '@tollgate/api/model-requests';
import { type Catalog, canCountInputTokens } from '@tollgate/catalog';
import type { Admission, BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { PriceSnapshot } from '@tollgate/contracts/common/v1/usage_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Call, type Client, startCall } from '@tollgate/rpc';
import {
  type AdmitInput,
  type Admitted,
  admit,
  estimate,
  type HoldRef,
  type Ledger,
  type Outcome,
  type Refused,
} from '@tollgate/spending';
import type { Prices } from '../domain/step/cost.js';
import type { ModelStep } from '../domain/step/model-step.js';

const TIMEOUT_MS = 10_000;

export interface AdmittedStep extends Admitted {
  prices: Prices;
  /** Whether the customer is charged; else the owner. */
  isCustomersCost: boolean;
}

/** `ended`: the step's hold has ended, so calls served under its id are not charged. */
export type AdmissionOutcome = AdmittedStep | Refused | { kind: 'ended' };

interface Clients {
  ledger: Ledger;
  catalog: Catalog;
  clients: { billing: Pick<Client<typeof BillingService>, 'recordProgress'> };
}

/**
 * Admits a step under its own id, so that a repeat after a crash finds the same hold. Renews a hold that an earlier
 * attempt may have made long ago. Continues when the work is aborted: if the answer were not read, its hold would
 * remain open. `isTentative`: the caller asks again after a refusal.
 *
 * @throws when the ledger could not be asked, or its answer was lost; the hold may exist
 */
export async function admitStep(
  ctx: Clients,
  step: ModelStep,
  { isTentative = false } = {},
): Promise<AdmissionOutcome> {
  const { request, principal, holdId, remainingMs, traceparent } = step;
  const call = startCall({
    requestId: holdId,
    principal,
    traceparent,
    timeoutMs: Math.min(TIMEOUT_MS, Math.max(1, remainingMs)),
  });
  const terms = {
    ...toTerms(ctx.catalog, request, { holdId }),
    supersedesHoldId: step.supersedes,
    isResumable: true,
    isTentative,
  };
  const outcome = await decide(ctx.ledger, terms, call);
  if (outcome.kind !== 'admitted') return outcome;
  if (step.isResumed) {
    const { open } = await ctx.clients.billing.recordProgress({ holdId, usage: {} }, call);
    if (!open) return { kind: 'ended' };
  }
  const { admission } = outcome;
  return { ...outcome, prices: toPrices(admission), isCustomersCost: admission.customerPrice !== undefined };
}

/** Returns the input of the admission: the most that the model call may use. */
export function toTerms(catalog: Catalog, request: ResponsesBody, hold: HoldRef): AdmitInput {
  const model = request.model === undefined ? undefined : catalog.find(request.model, request.provider);
  const input = inputOfResponses(request);
  return {
    hold,
    model: request.model,
    inputTokens: estimate(model, input),
    maxOutputTokens: request.max_output_tokens,
    extras: input,
    passesOwnConnections: true,
    countable: model && canCountInputTokens(model, input) ? { model, input } : undefined,
  };
}

/** Returns the bounds of the model call under a hold, for Generate. */
export function toBounds({ admission, inputTokens }: Pick<Admitted, 'admission' | 'inputTokens'>) {
  const { modelId, maxOutputTokens, holdTtlMs, ownConnections } = admission;
  return { modelId, maxOutputTokens, inputTokensEstimate: BigInt(inputTokens), holdTtlMs, ownConnections };
}

/** Returns errors that a retry cannot change as refusals. */
async function decide(ledger: Ledger, terms: AdmitInput, call: Call): Promise<Outcome> {
  try {
    return await admit(ledger, terms, call);
  } catch (error) {
    if (!isAppError(error) || error.retryable) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}

/** Returns the prices for the step's payer: the customer's if a customer pays, otherwise the provider's. */
function toPrices({ customerPrice, providerPrice }: Admission): Prices {
  const price: Partial<PriceSnapshot> = customerPrice ?? providerPrice ?? {};
  return {
    inputPerMillionCents: price.inputPerMillionCents ?? 0n,
    outputPerMillionCents: price.outputPerMillionCents ?? 0n,
    perImageCents: price.perImageCents ?? 0n,
  };
}
