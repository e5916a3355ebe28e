import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
} from '@opentelemetry/semantic-conventions/incubating';
import { AppError, asAppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { startSpan, withinSpan } from '@tollgate/runtime';
import { type GenAiOperation, toGenAiProvider } from '../../domain/gen-ai.js';
import { CallNotSent, ProviderFailure } from '../../domain/provider-failure.js';
import { failed, type HeldUsage, isNothing, lost, served } from '../../domain/work-state.js';
import type { HeldPlan, HeldWorker } from './held-plan.js';
import { HeldWork, type HeldWorkContext } from './held-work.js';
import type { HeldRoute } from './routes.js';

/** Held work whose provider is awaited: reports no progress until the answer is there, and is cut by aborting its call. */
export class AwaitedWork<Route extends HeldRoute> implements HeldWorker {
  /** Ends with the caller, with the hold, and with the process. */
  readonly call: Call;
  readonly #work: HeldWork<Route>;
  readonly #modelId: string;
  readonly #operation: GenAiOperation;
  /** Set when the hold has expired. */
  #expiry: AppError | undefined;
  /** The call that was cut last had not been sent. */
  #isNotSent = false;

  constructor(ctx: HeldWorkContext, plan: HeldPlan<Route>) {
    this.call = plan.call.with({});
    this.#modelId = plan.modelId;
    this.#operation = plan.operation ?? 'chat';
    this.#work = new HeldWork(ctx, plan, this);
  }

  /** Whether the outcome has been decided. */
  get isOver(): boolean {
    return this.#work.isOver;
  }

  /** The provider that was asked last. */
  get provider(): string {
    return this.#work.provider;
  }

  /** Attempts the routes in order until one answers. @throws AppError when none did; the hold is released then */
  async ask<Answer>(attempt: (route: Route) => Promise<Answer>): Promise<Answer> {
    try {
      for (;;) {
        this.#throwIfCut();
        const answer = await this.#attempt(attempt);
        if (!answer) continue;
        this.#work.open();
        return answer.value;
      }
    } catch (thrown) {
      throw await this.fail(thrown, {});
    }
  }

  /** Settles a complete answer. @throws AppError when the ledger has not acknowledged in time: the end must not leave then */
  async settle(usage: HeldUsage): Promise<void> {
    await this.#work.settle(served(usage));
  }

  /** Settles a failure after `usage` was served. Resolves with the error to report. */
  async fail(thrown: unknown, usage: HeldUsage): Promise<AppError> {
    const error = thrown instanceof ProviderFailure ? this.#work.toError([thrown]) : asAppError(thrown);
    if (this.isOver) return error;
    if (this.call.isAborted) {
      await this.abandon(usage);
      return error;
    }
    // The answer started and broke off before anything of it was usable.
    const isUnanswered = this.#work.state === 'open' && thrown instanceof ProviderFailure && thrown.isUnanswered;
    const isInDoubt = isUnanswered && isNothing(usage);
    await this.#work.settle({ ...failed(usage, error), isInDoubt }).catch(() => undefined);
    return error;
  }

  /** Settles work that was cut after `usage` was served. Never rejects. */
  async abandon(usage: HeldUsage): Promise<void> {
    if (this.isOver) return;
    // Cut before it reported anything, a provider that was asked may have served the request all the same.
    const isInDoubt = this.#work.state !== 'waiting' && !this.#isNotSent && isNothing(usage);
    await this.#work.settle(lost(usage, isInDoubt, this.#expiry)).catch(() => undefined);
  }

  usedSoFar(): HeldUsage {
    return {};
  }

  cut(): void {
    this.call.abort(new AppError('SERVICE_UNAVAILABLE', 'the service is stopping'));
  }

  holdExpired(error: AppError): void {
    this.#expiry = error;
    this.call.abort(error);
  }

  /** Returns undefined when the next route is to be asked. */
  async #attempt<Answer>(attempt: (route: Route) => Promise<Answer>): Promise<{ value: Answer } | undefined> {
    const route = this.#work.ask();
    try {
      const span = startSpan(`${this.#operation} ${this.#modelId}`, 'client', this.call.traceparent, {
        [ATTR_GEN_AI_OPERATION_NAME]: this.#operation,
        [ATTR_GEN_AI_PROVIDER_NAME]: toGenAiProvider(route.provider.id),
        [ATTR_GEN_AI_REQUEST_MODEL]: this.#modelId,
      });
      return { value: await withinSpan(span, () => attempt(route)) };
    } catch (error) {
      this.#isNotSent = error instanceof CallNotSent;
      this.#throwIfCut();
      if (!(error instanceof ProviderFailure)) throw error;
      if (!this.#work.retryAfter(error)) throw this.#work.error();
      return undefined;
    }
  }

  #throwIfCut(): void {
    if (!this.call.isAborted) return;
    const { reason } = this.call.signal;
    throw isAppError(reason) ? reason : new AppError('RELAY_TIMEOUT', 'the call was canceled');
  }
}
