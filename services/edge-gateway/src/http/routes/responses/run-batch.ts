import type { BatchItem, BatchResult, ResponseResource, ResponsesBatchBody } from '@tollgate/api/model-requests';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, asAppError, errorForAudience, toApiError } from '@tollgate/errors';
import { type Call, startCall } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { batchItemId } from '../../../domain/batch-item-id.js';
import { checkRateLimit, rateLimitError } from '../../../limits/rate-limit.js';
import type { Matched } from '../../exchange/exchange.js';
import type { RequestRecord } from '../../exchange/request-record.js';
import { validate } from '../../exchange/validate.js';
import type { TurnSpender } from '../../turns/admit-turn.js';
import { createResponse } from '../../turns/create-response.js';
import { startTurn } from '../../turns/run-turn.js';

/** Items have no address of their own. */
const ADDRESS: Matched = { params: {}, query: {}, path: '/responses/batch' };

type BatchContext = TurnSpender['ctx'] & Pick<Context, 'config' | 'logger' | 'rateStore'>;

/** One attempt at the batch, and the record of its items together. */
interface Attempt {
  id: string;
  record: RequestRecord;
}

/** Runs the requests of a batch with bounded concurrency. Returns one result per request, in their order. */
export class BatchRun {
  readonly #ctx: BatchContext;
  readonly #batchId: string;
  readonly #attempt: Attempt;
  readonly #call: Call;
  readonly #usesCache: boolean | undefined;
  readonly #items: readonly BatchItem[];
  readonly #isFailFast: boolean;
  readonly #results: BatchResult[];
  #next = 0;
  #hasFailed = false;

  /** `call` has the deadline of the whole batch; the items' hold ids derive from the attempt's. */
  constructor(
    ctx: BatchContext,
    batchId: string,
    { requests, options }: ResponsesBatchBody,
    usesCache: boolean | undefined,
    call: Call,
    attempt: Attempt,
  ) {
    this.#attempt = attempt;
    this.#usesCache = usesCache;
    this.#ctx = ctx;
    this.#batchId = batchId;
    this.#call = call;
    this.#items = requests;
    this.#isFailFast = options.fail_fast;
    this.#results = new Array<BatchResult>(requests.length);
  }

  async run(concurrency: number): Promise<BatchResult[]> {
    const lanes = Array.from({ length: Math.min(concurrency, this.#items.length) }, () => this.#lane());
    await Promise.all(lanes);
    return this.#results;
  }

  async #lane(): Promise<void> {
    while (this.#next < this.#items.length) {
      const index = this.#next++;
      this.#results[index] = await this.#result(this.#items[index]!, index);
    }
  }

  async #result(item: BatchItem, index: number): Promise<BatchResult> {
    const requestId = batchItemId(this.#attempt.id, index);
    try {
      this.#mayBegin();
      return { id: item.id, status: 'success', response: await this.#answer(item, index, requestId) };
    } catch (thrown) {
      this.#hasFailed = true;
      const error = errorForAudience(asAppError(thrown), this.#audience);
      if (error.code === 'INTERNAL_ERROR')
        this.#ctx.logger.error({ err: thrown, request_id: requestId }, 'request failed');
      const place = { requestId, batchId: this.#batchId, itemId: item.id };
      return { id: item.id, status: 'error', error: toApiError(error, place) as never };
    }
  }

  #mayBegin(): void {
    if (this.#isFailFast && this.#hasFailed) throw skipped();
    if (this.#call.remainingMs() <= 0) throw new AppError('RELAY_TIMEOUT', 'the batch ran out of time');
    if (this.#call.isAborted) throw skipped();
  }

  /** Counts each request against the rate limit; the batch itself has already counted as the first. */
  async #answer(item: BatchItem, index: number, requestId: string): Promise<ResponseResource> {
    const principal = this.#call.requirePrincipal();
    const rate = index === 0 ? undefined : await checkRateLimit(principal, this.#ctx);
    if (rate && !rate.ok) throw rateLimitError(rate);
    const { id: _, ...body } = item;
    const turn = {
      ...createResponse.read(validate(createResponse.body, body), {}, ADDRESS),
      usesCache: this.#usesCache,
    };
    const timeoutMs = Math.max(1, this.#call.remainingMs());
    const { signal, traceparent } = this.#call;
    const call = startCall({ requestId, principal, timeoutMs, signal, traceparent });
    const spender: TurnSpender = {
      ctx: this.#ctx,
      ids: { requestId, holdId: requestId },
      audience: this.#audience,
      record: this.#attempt.record,
      route: { path: '/responses/batch', unknownModel: createResponse.unknownModel },
    };
    const sent = { dialect: Dialect.NATIVE, body: Buffer.from(JSON.stringify(body)) };
    const started = await startTurn(spender, turn, sent, call);
    if (!started) throw skipped();
    const { first, frames } = started;
    if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
    this.#attempt.record.settled(first.value);
    await frames.next();
    return JSON.parse(Buffer.from(first.value.data).toString('utf8')) as ResponseResource;
  }

  get #audience(): 'customer' | 'project' {
    return this.#call.principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project';
  }
}

function skipped(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the request was skipped', { causeKind: 'canceled', layer: 'request' });
}
