import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Catalog, canCountInputTokens, exceedsContextWindow } from '@tollgate/catalog';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { InferenceService, ResponseStorageSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import { type AdmitInput, type Admitted, admit, estimate, type Ledger, type Refused } from '@tollgate/spending';
import type { BatchRequest, BatchTurn } from '../domain/batches/batch-request.js';
import { toBounds } from './admission.js';

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

export interface BatchCallOptions {
  clients: {
    inference: Pick<Client<typeof InferenceService>, 'generate'>;
    compat: Pick<Client<typeof CompatService>, 'createEmbeddings'>;
  };
  request: BatchRequest;
  /** JSON of the request's body. */
  body: string;
  holdId: string;
  admitted: Admitted;
  /** How a turn is sent; undefined for the defaults of its principal. */
  sending?: TurnSending | undefined;
}

export interface TurnSending {
  /** How the answer is kept; undefined if it is not. */
  storage?: MessageInitShape<typeof ResponseStorageSchema>;
  /** Default: the choice of the principal's project. */
  usesCache?: boolean;
  betas?: readonly string[];
  /** Takes the events of a streamed answer, as JSON. Returns the JSON of the answer that the last one has. */
  takeEvent?: ((json: string) => Promise<string | undefined>) | undefined;
}

/** Makes the call of one request under its hold. Returns the JSON of the endpoint's answer, which is settled. */
export async function callForBatch(options: BatchCallOptions, call: Call): Promise<string> {
  const { request } = options;
  if (request.kind === 'turn') return generate(options, request, call);
  const { holdId, admitted, body, clients } = options;
  const { admission, inputTokens } = admitted;
  const { modelId } = admission;
  const media = { holdId, modelId, modelName: request.model, inputUnits: BigInt(inputTokens), outputUnits: 0n };
  const answer = await clients.compat.createEmbeddings({ admission: media, body: Buffer.from(body) }, call);
  return Buffer.from(answer.body).toString('utf8');
}

async function generate(
  { clients, body, holdId, admitted, sending }: BatchCallOptions,
  turn: BatchTurn,
  call: Call,
): Promise<string> {
  const { usesCache = call.requirePrincipal().responseCache, betas = [], storage, takeEvent } = sending ?? {};
  const frames = clients.inference.generate(
    {
      ...toBounds(admitted),
      dialect: turn.dialect,
      body: Buffer.from(body),
      holdId,
      usesCache,
      awaitsSettlement: true,
      stream: takeEvent !== undefined,
      betas: [...betas],
      ...(storage && { storage }),
    },
    call,
  );
  let answer: string | undefined;
  for await (const { data, more, hasFailed } of frames) {
    // The version before reports a failure as an event.
    if (hasFailed) throw new AppError('PROVIDER_ERROR', 'the answer broke off', { retryable: true });
    for (const each of [data, ...more.map((frame) => frame.data)]) {
      if (each.length === 0) continue;
      const json = Buffer.from(each).toString('utf8');
      answer = takeEvent ? await takeEvent(json) : json;
    }
  }
  if (answer === undefined) throw new AppError('INTERNAL_ERROR', 'the model call ended without an answer');
  return answer;
}
