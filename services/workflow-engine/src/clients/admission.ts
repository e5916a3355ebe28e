import { inputOfResponses, type ResponsesBody } from '@tollgate/api';
import { type Catalog, type CatalogModel, estimateInputTokens } from '@tollgate/catalog';
import { type Admission, type BillingService, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { PriceSnapshot } from '@tollgate/contracts/common/v1/usage_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Call, type Client, startCall } from '@tollgate/rpc';
import type { Prices } from '../domain/step/cost.js';
import type { ModelStep } from '../domain/step/model-step.js';

type Billing = Client<typeof BillingService>;

export const ADMIT_TIMEOUT_MS = 10_000;

/** Stands for a model that only admission will name: the most careful rule for counting, no window to clamp to. */
const UNKNOWN_MODEL = { tokenizer: 'bytes', context_window: Number.MAX_SAFE_INTEGER } as CatalogModel;

export interface Admitted {
  admission: Admission;
  prices: Prices;
  /** Whether the customer is charged; else the owner. */
  isCustomersCost: boolean;
  inputTokensEstimate: bigint;
}

/** `ended`: the hold of this request id is over, so that what is served under the id is charged to nobody. */
export type AdmissionOutcome =
  | ({ kind: 'admitted' } & Admitted)
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'ended' };

/**
 * Asks the ledger for a hold under the call's request id. The same id again finds the hold that it made before.
 *
 * @throws when the ledger could not be asked, or its answer was lost; the hold may exist
 */
export async function admit(
  billing: Billing,
  catalog: Catalog,
  request: ResponsesBody,
  call: Call,
  supersedesHoldId = '',
): Promise<AdmissionOutcome> {
  const inputTokensEstimate = inputTokensOf(catalog, request);
  const req = {
    holdId: call.requestId,
    kind: MeteredKind.TEXT,
    model: request.model ?? '',
    inputTokensEstimate,
    ...(request.max_output_tokens !== undefined && { maxOutputTokens: request.max_output_tokens }),
    supersedesHoldId,
  };
  try {
    const { decision } = await billing.admit(req, call);
    if (decision.case === 'refused') return { kind: 'refused', ...wordsOf(decision.value) };
    if (decision.case !== 'admitted') throw new Error('the ledger answered an admission without a decision');
    const admission = decision.value;
    if (admission.hasEnded) return { kind: 'ended' };
    const isCustomersCost = admission.customerPrice !== undefined;
    return { kind: 'admitted', admission, prices: pricesOf(admission), isCustomersCost, inputTokensEstimate };
  } catch (error) {
    if (!isAppError(error) || error.retryable) throw error;
    return { kind: 'refused', ...wordsOf(error) };
  }
}

/**
 * Admits a step under its own id, so that a repeat after a crash finds the same hold. A hold that an earlier attempt
 * may have made long ago is renewed. Not aborted with the work: a hold whose answer nobody read would linger.
 */
export async function admitStep(billing: Billing, catalog: Catalog, step: ModelStep): Promise<AdmissionOutcome> {
  const { request, principal, holdId, remainingMs } = step;
  const call = startCall({
    requestId: holdId,
    principal,
    timeoutMs: Math.min(ADMIT_TIMEOUT_MS, Math.max(1, remainingMs)),
  });
  const outcome = await admit(billing, catalog, request, call, step.supersedes);
  if (outcome.kind !== 'admitted' || !step.isResumed) return outcome;
  const { open } = await billing.recordProgress({ holdId, usage: {} }, call);
  return open ? outcome : { kind: 'ended' };
}

/** What the model call under a hold may use, as inference is told. */
export function boundsOf({ admission, inputTokensEstimate }: Admitted) {
  const { modelId, maxOutputTokens, holdTtlMs } = admission;
  return { modelId, maxOutputTokens, inputTokensEstimate, holdTtlMs };
}

function wordsOf({ code, message }: { code: string; message: string }) {
  return { code, message };
}

/** The most that the request's input can count for. */
function inputTokensOf(catalog: Catalog, request: ResponsesBody): bigint {
  const model = request.model === undefined ? undefined : catalog.find(request.model, request.provider);
  return BigInt(estimateInputTokens(model ?? UNKNOWN_MODEL, inputOfResponses(request)));
}

/** What the step costs its payer: the customer's price where a customer pays, else the provider's. */
function pricesOf({ customerPrice, providerPrice }: Admission): Prices {
  const price: Partial<PriceSnapshot> = customerPrice ?? providerPrice ?? {};
  return {
    inputPerMillionCents: price.inputPerMillionCents ?? 0n,
    outputPerMillionCents: price.outputPerMillionCents ?? 0n,
    perImageCents: price.perImageCents ?? 0n,
  };
}
