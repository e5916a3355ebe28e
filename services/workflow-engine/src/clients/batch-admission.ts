import { type Catalog, canCountInputTokens, exceedsContextWindow } from '@tollgate/catalog';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { isAppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import { type AdmitInput, type Admitted, admit, estimate, type Ledger, type Refused } from '@tollgate/spending';
import type { BatchRequest } from '../domain/batches/batch-request.js';

interface Parts {
  ledger: Ledger;
  catalog: Catalog;
  clients: { billing: Pick<Client<typeof BillingService>, 'recordProgress'> };
}

interface LineSpending {
  request: BatchRequest;
  holdId: string;
  /** Hold of a lost attempt, which its customer does not pay. */
  supersedes: string | undefined;
  /** Whether the hold may be from an earlier lease. */
  isResumed: boolean;
  /** Whether the request has stored items, which may be others than at an earlier lease. */
  isExpanded: boolean;
}

/**
 * Admits one request under its own id, so that a repeat finds the same hold. `ended`: the hold ended before anything was sent, or
 * it covers what was stored at an earlier lease.
 *
 * @throws when the ledger could not be asked, or its answer was lost; the hold may exist
 */
export async function admitLine(
  { ledger, catalog, clients }: Parts,
  { request, holdId, supersedes, isResumed, isExpanded }: LineSpending,
  call: Call,
): Promise<Admitted | Refused | { kind: 'ended' }> {
  const terms = toTerms(catalog, request);
  if ('code' in terms) return terms;
  try {
    if (isResumed && isExpanded) {
      const { open } = await clients.billing.recordProgress({ holdId, usage: {} }, call);
      if (open) return { kind: 'ended' };
    }
    const hold = { hold: { holdId }, supersedesHoldId: supersedes, isResumable: true };
    const outcome = await admit(ledger, { ...terms, ...hold }, call);
    if (outcome.kind !== 'admitted' || !isResumed) return outcome;
    const { open } = await clients.billing.recordProgress({ holdId, usage: {} }, call);
    return open ? outcome : { kind: 'ended' };
  } catch (error) {
    if (!isAppError(error) || error.retryable) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}

function toTerms(catalog: Catalog, request: BatchRequest): Omit<AdmitInput, 'hold'> | Refused {
  const model = request.model === undefined ? undefined : catalog.find(request.model);
  if (request.kind === 'embeddings') {
    // Without a record the input cannot be estimated, and a hold of nothing would serve it free.
    if (!model) return { kind: 'refused', code: 'INVALID_INPUT', message: `unknown model: ${request.model}` };
    return { model: request.model, inputTokens: request.countInput(model), maxOutputTokens: 0 };
  }
  const { input, maxOutputTokens, answers } = request;
  if (model && exceedsContextWindow(model, input)) {
    const message = `prompt is too long: this model's maximum context length is ${model.context_window} tokens (${model.model_id})`;
    return { kind: 'refused', code: 'VALIDATION_ERROR', message };
  }
  return {
    model: request.model,
    inputTokens: estimate(model, input),
    maxOutputTokens,
    extras: input,
    passesOwnConnections: true,
    ...(answers !== undefined && { answers }),
    countable: model && canCountInputTokens(model, input) ? { model, input } : undefined,
  };
}
