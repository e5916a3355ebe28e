import { fromBinary } from '@bufbuild/protobuf';
import type { Catalog } from '@tollgate/catalog';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  AppError,
  asAppError,
  errorForAudience,
  isAppError,
  isTransientError,
  toOpenAiError,
  vendorStatus,
} from '@tollgate/errors';
import { type Call, type Client, startCall, wasNotDelivered } from '@tollgate/rpc';
import { backoffMs, type Logger } from '@tollgate/runtime';
import { type Ledger, namesUnknownModel, refusal, release, supersede } from '@tollgate/spending';
import { admitLine } from '../../clients/batch-admission.js';
import { type BatchCallOptions, callForBatch } from '../../clients/batch-call.js';
import { discardResponse } from '../../clients/discard-response.js';
import { NO_USAGE, readAnswerUsage } from '../../domain/batches/answer-usage.js';
import { lineHoldId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { type BatchRequest, readBatchRequest } from '../../domain/batches/batch-request.js';
import {
  dropLine,
  endLine,
  type LineItem,
  markLineDispatched,
  type NextRun,
  putBackLine,
  readLineBody,
} from '../../store/batches/batch-lines.js';
import type { Pool } from '../../store/database.js';

/** The parts of the service's context that a line uses. */
export interface LineContext {
  pool: Pool;
  logger: Logger;
  catalog: Catalog;
  ledger: Ledger;
  clients: BatchCallOptions['clients'] &
    Parameters<typeof discardResponse>[0] & { billing: Pick<Client<typeof BillingService>, 'recordProgress'> };
}

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 60_000;
/** Errors after which it is unknown whether the provider served the request. */
const OUTCOME_UNKNOWN = new Set(['SERVICE_UNAVAILABLE', 'RELAY_TIMEOUT', 'INTERNAL_ERROR']);

/**
 * Runs one line of a batch under the hold of its attempt, and stores its answer or its error. `signal` aborts when the lease is
 * lost. A line that cannot end now is returned to the queue.
 */
export async function runLine(ctx: LineContext, item: LineItem, signal: AbortSignal): Promise<void> {
  const principal = fromBinary(PrincipalSchema, item.principal);
  const holdId = lineHoldId(item.batchId, item.line, item.attempt);
  const { traceparent } = item;
  const call = startCall({ requestId: holdId, principal, timeoutMs: batchLimits.requestMs, signal, traceparent });
  try {
    await discardSuperseded(ctx, item, call);
    if (!item.isWanted) return await giveUp(ctx, item, holdId, call);
    await new LineRun(ctx, item, principal, holdId, call).run();
  } catch (error) {
    if (signal.aborted) return;
    if (!isTransientError(error)) ctx.logger.error({ err: error, hold_id: holdId }, 'line of a batch failed');
    await putBack(ctx, item, 'recorded', !isTransientError(error));
  }
}

/** Removes the response that a lost attempt may have stored, or may store later: the line gets another answer, or none. */
async function discardSuperseded({ clients }: LineContext, item: LineItem, call: Call): Promise<void> {
  const { batchId, line, supersededAttempt, endpoint } = item;
  if (supersededAttempt === undefined || endpoint !== '/v1/responses') return;
  if (call.requirePrincipal().responseStorage !== true) return;
  await discardResponse(clients, lineHoldId(batchId, line, supersededAttempt), call);
}

/** Ends the holds of a line whose batch has ended: the customer is not charged for a lost attempt. */
async function giveUp(ctx: LineContext, item: LineItem, holdId: string, call: Call): Promise<void> {
  const { batchId, line, supersededAttempt } = item;
  if (supersededAttempt !== undefined) {
    await supersede(ctx.ledger, { holdId: lineHoldId(batchId, line, supersededAttempt) }, call);
  }
  await release(ctx.ledger, { holdId }, 'CANCELED', call);
  await dropLine(ctx.pool, item);
}

class LineRun {
  readonly #ctx: LineContext;
  readonly #item: LineItem;
  readonly #principal: Principal;
  readonly #holdId: string;
  readonly #call: Call;

  constructor(ctx: LineContext, item: LineItem, principal: Principal, holdId: string, call: Call) {
    this.#ctx = ctx;
    this.#item = item;
    this.#principal = principal;
    this.#holdId = holdId;
    this.#call = call;
  }

  async run(): Promise<void> {
    const { batchId, line, supersededAttempt, lost, tries } = this.#item;
    const supersedes = supersededAttempt && lineHoldId(batchId, line, supersededAttempt);
    if (lost >= batchLimits.lostAttempts || tries >= batchLimits.tries) {
      if (supersedes) await supersede(this.#ctx.ledger, { holdId: supersedes }, this.#call);
      return this.#fail(new AppError('SERVICE_UNAVAILABLE', 'the request was interrupted too often'));
    }
    const body = await readLineBody(this.#ctx.pool, this.#item);
    if (body === undefined) return;
    let request: BatchRequest;
    try {
      request = readBatchRequest(this.#item.endpoint, JSON.parse(body));
    } catch (error) {
      if (isAppError(error)) return this.#fail(error);
      throw error;
    }
    const terms = {
      request,
      holdId: this.#holdId,
      supersedes: supersedes || undefined,
      isResumed: this.#item.epoch > 1,
    };
    const outcome = await admitLine(this.#ctx, terms, this.#call);
    if (outcome.kind === 'ended') return putBack(this.#ctx, this.#item, 'next', false);
    if (outcome.kind === 'refused') {
      const known = request.model === undefined ? undefined : this.#ctx.catalog.find(request.model);
      const isUnknown = namesUnknownModel(outcome, request.model, known);
      return this.#fail(isUnknown ? unknownModel(request.model!) : refusal(outcome, this.#audience));
    }
    if (!(await markLineDispatched(this.#ctx.pool, this.#item))) return;
    const options = {
      request,
      body,
      holdId: this.#holdId,
      admitted: outcome,
      clients: this.#ctx.clients,
    };
    let answer: string;
    try {
      answer = await callForBatch(options, this.#call);
    } catch (error) {
      return this.#afterError(error);
    }
    await endLine(this.#ctx.pool, this.#item, {
      statusCode: 200,
      answer,
      isSuccess: true,
      usage: readAnswerUsage(answer),
    });
  }

  async #afterError(error: unknown): Promise<void> {
    if (this.#call.signal.aborted && this.#call.remainingMs() > 0) return;
    if (wasNotDelivered(error)) return putBack(this.#ctx, this.#item, 'same', false);
    if (!isAppError(error) || (OUTCOME_UNKNOWN.has(error.code) && error.retryable)) {
      return putBack(this.#ctx, this.#item, 'lost', false);
    }
    if (error.retryable && this.#item.tries + 1 < batchLimits.tries) {
      return putBack(this.#ctx, this.#item, 'next', true);
    }
    return this.#fail(error);
  }

  /** Ends the line with an error, as the endpoint would answer it. */
  async #fail(thrown: AppError): Promise<void> {
    const error = errorForAudience(asAppError(thrown), this.#audience);
    await endLine(this.#ctx.pool, this.#item, {
      statusCode: vendorStatus(error),
      answer: JSON.stringify({ error: toOpenAiError(error) }),
      isSuccess: false,
      usage: NO_USAGE,
    });
  }

  get #audience(): 'customer' | 'project' {
    return this.#principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  }
}

function putBack({ pool }: LineContext, item: LineItem, next: NextRun, countsAsTry: boolean): Promise<void> {
  const delayMs = backoffMs(item.tries + item.lost + 1, { minMs: RETRY_MS_MIN, maxMs: RETRY_MS_MAX });
  return putBackLine(pool, item, { delayMs, next, countsAsTry });
}

function unknownModel(model: string): AppError {
  return new AppError('NOT_FOUND', `the model ${model} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${model}` }],
  });
}
