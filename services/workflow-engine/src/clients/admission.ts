import { inputOfResponses, type ResponsesBody } from '@tollgate/api';
import { type Catalog, type CatalogModel, estimateInputTokens } from '@tollgate/catalog';
import { type Admission, type BillingService, MeteredKind } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { PriceSnapshot } from '@tollgate/contracts/common/v1/usage_pb.js';
import { isAppError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import type { Logger } from '@tollgate/runtime';
import type { Prices } from '../domain/cost.js';
import type { ModelStep } from '../domain/model-step.js';

type Billing = Client<typeof BillingService>;

const ADMIT_TIMEOUT_MS = 10_000;
const RELEASE_TIMEOUT_MS = 5_000;

/** Stands for a model that only admission will name: the most careful rule for counting, no window to clamp to. */
const UNKNOWN_MODEL = { tokenizer: 'bytes', context_window: Number.MAX_SAFE_INTEGER } as CatalogModel;

export interface Admitted {
  admission: Admission;
  prices: Prices;
  inputTokensEstimate: bigint;
}

export type AdmissionOutcome = ({ kind: 'admitted' } & Admitted) | { kind: 'refused'; code: string; message: string };

/**
 * Asks the ledger for a hold under the step's own id: asked again after a crash, it finds the hold it made. Not aborted
 * with the work: a hold whose answer nobody read would linger. Throws what may work later.
 */
export async function admitStep(billing: Billing, catalog: Catalog, step: ModelStep): Promise<AdmissionOutcome> {
  const { request, principal, requestId, remainingMs } = step;
  const inputTokensEstimate = inputTokensOf(catalog, request);
  const req = {
    requestId,
    kind: MeteredKind.TEXT,
    model: request.model ?? '',
    inputTokensEstimate,
    ...(request.max_output_tokens !== undefined && { maxOutputTokens: request.max_output_tokens }),
    supersedesRequestId: step.supersedes ?? '',
  };
  const call = startCall({ requestId, principal, timeoutMs: Math.min(ADMIT_TIMEOUT_MS, remainingMs) });
  try {
    const { decision } = await billing.admit(req, call);
    if (decision.case === 'refused') return { kind: 'refused', ...wordsOf(decision.value) };
    if (decision.case !== 'admitted') throw new Error('the ledger answered an admission without a decision');
    const admission = decision.value;
    return { kind: 'admitted', admission, prices: pricesOf(admission), inputTokensEstimate };
  } catch (error) {
    if (!isAppError(error) || error.retryable) throw error;
    return { kind: 'refused', ...wordsOf(error) };
  }
}

function wordsOf({ code, message }: { code: string; message: string }) {
  return { code, message };
}

/** The most that the request's input can count for. */
function inputTokensOf(catalog: Catalog, request: ResponsesBody): bigint {
  const model = request.model === undefined ? undefined : catalog.find(request.model, request.provider);
  return BigInt(estimateInputTokens(model ?? UNKNOWN_MODEL, inputOfResponses(request)));
}

/** Ends the hold of a call that was never made. Best effort: a hold that nobody ends expires. */
export async function releaseHold(
  billing: Billing,
  logger: Logger,
  hold: Pick<ModelStep, 'requestId' | 'principal'>,
): Promise<void> {
  const { requestId, principal } = hold;
  try {
    await billing.settle(
      { requestId, usage: {}, facts: { success: false, errorCode: 'NOT_DISPATCHED' } },
      startCall({ requestId, principal, timeoutMs: RELEASE_TIMEOUT_MS }),
    );
  } catch (error) {
    logger.warn({ err: error, request_id: requestId }, 'a hold was not released and will expire');
  }
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
