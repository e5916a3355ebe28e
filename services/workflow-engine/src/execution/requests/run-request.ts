import type { Catalog } from '@tollgate/catalog';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { decodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, asAppError, errorForAudience, isAppError, isTransientError } from '@tollgate/errors';
import { type Call, type Client, startCall } from '@tollgate/rpc';
import { backoffMs, type Logger } from '@tollgate/runtime';
import {
  classify,
  type Ledger,
  namesUnknownModel,
  refusal,
  release,
  supersede,
  unknownModel,
} from '@tollgate/spending';
import { admitLine, type BatchCallOptions, callForBatch, type TurnSending } from '../../clients/batch-call.js';
import type { BatchRequest } from '../../domain/batches/batch-request.js';
import type { NextRun, PutBack } from '../../store/queues/queued-requests.js';
import { type Dependencies, WAIT } from './request-pool.js';

/** The parts of the service's context that a queued request uses. */
export interface RequestContext {
  logger: Logger;
  catalog: Catalog;
  ledger: Ledger;
  dependencies: Dependencies;
  clients: BatchCallOptions['clients'] & { billing: Pick<Client<typeof BillingService>, 'recordProgress'> };
}

/** One attempt at a request that a queue has leased to this process. */
export interface QueuedRequest {
  holdId: string;
  /** Hold of a lost attempt, which its customer does not pay. */
  supersedesHoldId: string | undefined;
  /** Whether the hold may be from an earlier lease. */
  isResumed: boolean;
  principal: Uint8Array;
  traceparent: string | undefined;
  /** How long the attempt may take; a request without time left fails. */
  timeoutMs: number;
  lost: number;
  tries: number;
  /** How often it has waited in a row because a service was unavailable. */
  waits: number;
  limits: { lostAttempts: number; tries: number };
  /** Returns the JSON of the request; undefined when the lease was lost. */
  readBody(): Promise<string | undefined>;
  /** @throws AppError for a body that its endpoint would refuse; a retryable one when it cannot be read now */
  read(body: string, call: Call): Promise<ReadRequest>;
  /** Returns false when the lease was lost. */
  markDispatched(): Promise<boolean>;
  /** Stores the JSON of the answer, or why there is none. Changes nothing when the lease was lost. */
  end(end: { answer: string } | { error: AppError }): Promise<void>;
  /** Returns the request to the queue. Changes nothing when the lease was lost. */
  putBack(how: PutBack): Promise<void>;
}

/** A request as it is admitted and sent. */
export interface ReadRequest {
  request: BatchRequest;
  /** JSON of the request, with the stored items to which it refers. */
  body: string;
  /** Whether it has stored items, which may be others when it is read again. */
  isExpanded: boolean;
  sending?: TurnSending;
}

const RETRY = { minMs: 500, maxMs: 60_000 };

/** Returns the call of one attempt, which acts as the principal of the request. */
export function startAttempt(request: QueuedRequest, signal: AbortSignal): Call {
  const { holdId: requestId, principal, timeoutMs, traceparent } = request;
  const who = decodeMessage(PrincipalSchema, principal);
  return startCall({ requestId, principal: who, timeoutMs: Math.max(1, timeoutMs), signal, traceparent });
}

/**
 * Runs a request under the hold of its attempt, and stores its answer or its error. `signal` aborts when the lease is lost. A request
 * that cannot end now is returned to the queue.
 */
export function runRequest(ctx: RequestContext, request: QueuedRequest, signal: AbortSignal): Promise<void> {
  return orPutBack(ctx, request, signal, (call) => new RequestRun(ctx, request, call).run());
}

/** Does work for an attempt at a request, and returns the request to the queue when that fails. */
export async function orPutBack(
  { logger }: Pick<RequestContext, 'logger'>,
  request: QueuedRequest,
  signal: AbortSignal,
  work: (call: Call) => Promise<void>,
): Promise<void> {
  try {
    await work(startAttempt(request, signal));
  } catch (error) {
    if (signal.aborted) return;
    if (!isTransientError(error)) logger.error({ err: error, hold_id: request.holdId }, 'queued request failed');
    await putBack(request, 'recorded', isTransientError(error) ? 'wait' : 'try');
  }
}

class RequestRun {
  readonly #ctx: RequestContext;
  readonly #request: QueuedRequest;
  readonly #principal: Principal;
  readonly #call: Call;

  constructor(ctx: RequestContext, request: QueuedRequest, call: Call) {
    this.#ctx = ctx;
    this.#request = request;
    this.#principal = call.requirePrincipal();
    this.#call = call;
  }

  async run(): Promise<void> {
    const { lost, tries, limits, timeoutMs } = this.#request;
    if (timeoutMs <= 0) return this.#abandon(unavailable('the request was not completed in time'));
    if (lost >= limits.lostAttempts || tries >= limits.tries) {
      return this.#abandon(unavailable('the request was interrupted too often'));
    }
    const body = await this.#request.readBody();
    if (body === undefined) return;
    let read: ReadRequest;
    try {
      read = await this.#request.read(body, this.#call);
    } catch (error) {
      if (isAppError(error) && !error.retryable) return this.#refuse(error);
      throw error;
    }
    await this.#spend(read);
  }

  async #spend({ request, body, sending, isExpanded }: ReadRequest): Promise<void> {
    const { holdId, supersedesHoldId: supersedes, isResumed } = this.#request;
    const { ledger, inference } = this.#ctx.dependencies;
    const spending = { request, holdId, supersedes, isResumed, isExpanded };
    const outcome = await ledger.call(
      () => admitLine(this.#ctx, spending, this.#call),
      (error) => !this.#call.isAborted && ['undelivered', 'lost'].includes(classify(error)),
    );
    if (outcome.kind === 'ended') {
      // Nothing was sent under the hold, so it leaves no cost in doubt.
      await release(this.#ctx.ledger, { holdId }, 'CANCELED', this.#call);
      return putBack(this.#request, 'next', 'wait');
    }
    if (outcome.kind === 'refused') {
      const { model } = request;
      const known = model === undefined ? undefined : this.#ctx.catalog.find(model);
      const isUnknown = namesUnknownModel(outcome, model, known);
      return this.#fail(
        isUnknown ? unknownModel(`${model}${this.#ctx.catalog.adviceOn(model!)}`) : refusal(outcome, this.#audience),
      );
    }
    if (!(await this.#request.markDispatched())) return;
    const { clients } = this.#ctx;
    let answer: string;
    try {
      const options = { request, body, holdId, admitted: outcome, clients, sending };
      answer = await inference.call(
        () => callForBatch(options, this.#call),
        (error) => classify(error) === 'undelivered',
      );
    } catch (error) {
      return this.#afterError(error);
    }
    await this.#request.end({ answer });
  }

  async #afterError(error: unknown): Promise<void> {
    if (this.#call.signal.aborted && this.#call.remainingMs() > 0) return;
    const fate = classify(error);
    if (fate === 'undelivered') return putBack(this.#request, 'same', 'wait');
    if (fate === 'lost') return putBack(this.#request, 'lost', 'nothing');
    const { tries, limits } = this.#request;
    if (isAppError(error) && error.retryable && tries + 1 < limits.tries) return putBack(this.#request, 'next', 'try');
    return this.#fail(asAppError(error));
  }

  /** Ends a request that is not tried again: the customer is not charged for a lost attempt. */
  async #abandon(error: AppError): Promise<void> {
    const { holdId, supersedesHoldId } = this.#request;
    if (supersedesHoldId) await supersede(this.#ctx.ledger, { holdId: supersedesHoldId }, this.#call);
    await release(this.#ctx.ledger, { holdId }, 'CANCELED', this.#call);
    return this.#fail(error);
  }

  /** Ends a request that its endpoint refuses. An earlier attempt may have read it with other stored items, and hold funds. */
  #refuse(error: AppError): Promise<void> {
    const { isResumed, supersedesHoldId } = this.#request;
    return isResumed || supersedesHoldId ? this.#abandon(error) : this.#fail(error);
  }

  async #fail(thrown: AppError): Promise<void> {
    await this.#request.end({ error: errorForAudience(asAppError(thrown), this.#audience) });
  }

  get #audience(): 'customer' | 'project' {
    return this.#principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  }
}

function putBack(request: QueuedRequest, next: NextRun, counts: PutBack['counts']): Promise<void> {
  const { tries, lost, waits } = request;
  const delayMs = counts === 'wait' ? backoffMs(waits + 1, WAIT) : backoffMs(tries + lost + 1, RETRY);
  return request.putBack({ delayMs, next, counts });
}

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message);
}
