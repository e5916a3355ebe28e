import type { ProviderId } from '@tollgate/api/model-requests';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import { release } from '@tollgate/spending';
import type { Charge, Settlement } from '../../clients/settlements.js';
import type { Context } from '../../context.js';
import { isWorthAnotherRoute, type ProviderFailure, turnError } from '../../domain/provider-failure.js';
import { isNothing, isUndecided, nextState, type Outcome, type WorkState } from '../../domain/work-state.js';
import { isOfKey } from '../../providers/connections/key-pool.js';
import type { WatchedTurn } from '../../workers/turn-watch.js';
import type { HeldPlan, HeldWorker } from './held-plan.js';
import { type HeldRoute, RouteAttempts } from './routes.js';
import { type Operation, type RequestOutcome, toOutcome } from './work-metrics.js';

/** Interval between heartbeats to the ledger. */
const PROGRESS_INTERVAL_MS = 2_000;
/** Keys of one connection that are tried for one call. */
const KEYS_TRIED_MAX = 3;

/** How a request that is still open ends with the work. */
const ENDINGS: Record<Outcome['state'], RequestOutcome> = { served: 'ok', failed: 'failed', lost: 'canceled' };

export type HeldWorkContext = Pick<
  Context,
  'billing' | 'clock' | 'config' | 'liveTurns' | 'logger' | 'settlements' | 'workMetrics'
>;

/**
 * Work under a hold: asks the routes of a plan in order, keeps the hold alive, and settles one outcome. Turns, media and
 * images share it; each brings a worker that attempts a route and measures what was used.
 */
export class HeldWork<Route extends HeldRoute> implements WatchedTurn {
  readonly #ctx: HeldWorkContext;
  readonly #plan: HeldPlan<Route>;
  readonly #worker: HeldWorker;
  #state: WorkState = 'waiting';
  #routeIndex = 0;
  /** At the current route. */
  #keysTried = 1;
  #provider: ProviderId | '' = '';
  /** Of the current model call. */
  #failures: ProviderFailure[] = [];
  /** Calls that were sent and that no provider answered: each may have been served. */
  #unansweredCalls = 0;
  #reportedAt: number;
  /** When the provider was asked that has not answered yet, on the monotonic clock. */
  #askedAtMs: number | undefined;
  readonly #attempts = new RouteAttempts();
  /** From the start of the work until a provider first started to answer. */
  #firstOutputMs: number | undefined;

  constructor(ctx: HeldWorkContext, plan: HeldPlan<Route>, worker: HeldWorker) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#worker = worker;
    this.#reportedAt = plan.startedAt;
  }

  get state(): WorkState {
    return this.#state;
  }

  /** Whether the outcome has been decided. */
  get isOver(): boolean {
    return !isUndecided(this.#state);
  }

  /** The provider that was asked last. */
  get provider(): ProviderId | '' {
    return this.#provider;
  }

  /** Begins an attempt. Returns the route to ask. */
  ask(): Route {
    this.#state = nextState(this.#state, 'asked');
    // Not earlier: a worker that throws while it is constructed must not leave a hold that is kept alive.
    this.#ctx.liveTurns.add(this);
    const route = this.#plan.routes[this.#routeIndex]!;
    this.#provider = route.provider.id;
    this.#askedAtMs = elapsed();
    if (this.#plan.executionOrigin === 'provider') this.#attempts.ask(route);
    return route;
  }

  /** Records that the provider has started to answer. Returns the milliseconds since it was asked. */
  open(): number {
    this.#state = nextState(this.#state, 'open');
    this.#firstOutputMs ??= this.#elapsedMs();
    return elapsed() - (this.#askedAtMs ?? elapsed());
  }

  /** The model call has ended; the work continues with another one at the same route. */
  pause(): void {
    this.#state = nextState(this.#state, 'waiting');
    this.#attempts.end('answered');
    this.#requestEnded('ok');
    this.#failures = [];
    this.#keysTried = 1;
  }

  /**
   * Takes the failure of the attempt. Returns whether a route is to be asked: the same one with another key, or the next one. None is asked
   * if output was delivered, which has been measured, or if no caller waits for the answer.
   */
  retryAfter(failure: ProviderFailure, { hasOutput = false, isAwaited = true } = {}): boolean {
    this.#state = nextState(this.#state, 'waiting');
    const { connection, ownCircuits } = this.#plan.routes[this.#routeIndex]!;
    failure.connection = connection;
    failure.isOwn = ownCircuits !== undefined;
    this.#failures.push(failure);
    // The owner account does not pay for the project's own connections, so nothing of theirs is in doubt.
    if (failure.isUnanswered && !hasOutput && !failure.isOwn) this.#unansweredCalls++;
    this.#attempts.end('failed', failure);
    this.#requestEnded(toOutcome(failure));
    const { provider, kind, status, cause } = failure;
    this.#ctx.logger.warn({ err: cause, provider, kind, status, ...this.#ids() }, 'provider call failed');
    if (hasOutput || !isAwaited || !isWorthAnotherRoute(failure)) return false;
    return this.#takeOtherKey(failure) || this.#advance();
  }

  /** Takes an error from before the attempt. Returns whether the next route is to be asked, which may support the request. */
  skipRoute(error: AppError): boolean {
    this.#state = nextState(this.#state, 'waiting');
    this.#askedAtMs = undefined;
    this.#attempts.end('skipped');
    if (error.code !== 'MODEL_CAPABILITY_UNSUPPORTED' || !this.#advance()) return false;
    this.#ctx.logger.info({ provider: this.#provider, reason: error.message, ...this.#ids() }, 'route skipped');
    return true;
  }

  /**
   * The error of the attempts. `error` explains why the last route could not be asked; it is the client's mistake only
   * if no other provider accepted the request.
   */
  error(error?: AppError): AppError {
    return error && this.#failures.length === 0 ? error : this.toError(this.#failures);
  }

  /** The error of failed calls, in the words that the caller may read. */
  toError(failures: readonly ProviderFailure[]): AppError {
    const { principal, requestId } = this.#plan.call;
    for (const failure of failures) failure.connection ??= this.#plan.routes[this.#routeIndex]!.connection;
    const isCustomer = principal?.kind === PrincipalKind.CUSTOMER;
    return turnError(failures, requestId, isCustomer ? 'customer' : 'owner');
  }

  /** Ends work for which nothing was done, and reports nothing. The caller releases the hold. */
  withdraw(): void {
    this.#state = nextState(this.#state, 'lost');
    this.#askedAtMs = undefined;
    this.#ctx.liveTurns.delete(this);
  }

  /**
   * Decides and settles the outcome.
   *
   * @throws AppError when the ledger has not acknowledged in time; settling continues in the background
   */
  async settle(outcome: Outcome): Promise<Charge> {
    this.#state = nextState(this.#state, outcome.state);
    this.#ctx.liveTurns.delete(this);
    this.#attempts.end(outcome.state === 'lost' ? 'canceled' : 'answered');
    this.#requestEnded(ENDINGS[outcome.state]);
    this.#ctx.workMetrics.used(this.#plan.modelId, outcome.usage, this.#asked());
    const settlement = this.#toSettlement(outcome);
    const charge = await this.#ctx.settlements.settle(settlement, this.#plan.call, this.#settleWaitMs(outcome));
    this.#state = nextState(this.#state, 'settled');
    return charge;
  }

  /** Sends a heartbeat with the progress to the ledger, when one is due. Returns whether it did. */
  report(elapsedMs: number): boolean {
    if (this.isOver || elapsedMs - this.#reportedAt < PROGRESS_INTERVAL_MS) return false;
    this.#reportedAt = elapsedMs;
    const { call, holdId } = this.#plan;
    const progress = { holdId, usage: this.#worker.usedSoFar() };
    this.#ctx.billing.recordProgress(progress, call.detached(PROGRESS_INTERVAL_MS)).then(
      ({ open }) => open || this.isOver || this.#worker.holdExpired(holdExpired()),
      (err: unknown) => this.#ctx.logger.warn({ err, ...this.#ids() }, 'progress not recorded'),
    );
    return true;
  }

  cut(): void {
    if (!this.isOver) this.#worker.cut();
  }

  /** Does nothing when no request is open. Answers from the cache are not requests. */
  #requestEnded(outcome: RequestOutcome): void {
    if (this.#askedAtMs === undefined || this.#provider === '') return;
    const durationMs = elapsed() - this.#askedAtMs;
    this.#askedAtMs = undefined;
    if (this.#plan.executionOrigin === 'response_cache') return;
    this.#ctx.workMetrics.requestEnded(this.#asked()!, outcome, durationMs);
  }

  #asked(): Operation | undefined {
    const { modelId, operation = 'chat', executionOrigin } = this.#plan;
    if (this.#provider === '' || executionOrigin === 'response_cache') return undefined;
    return { provider: this.#provider, modelId, operation };
  }

  #advance(): boolean {
    if (this.#routeIndex + 1 >= this.#plan.routes.length) return false;
    this.#routeIndex++;
    this.#keysTried = 1;
    return true;
  }

  /** Whether the same route is asked again: the failed key rests, and the connection has another one. */
  #takeOtherKey(failure: ProviderFailure): boolean {
    const { keys } = this.#plan.routes[this.#routeIndex]!;
    if (this.#keysTried >= KEYS_TRIED_MAX || !keys?.hasOther || !isOfKey(failure)) return false;
    this.#keysTried++;
    return true;
  }

  #ids(): { request_id: string } {
    return { request_id: this.#plan.call.requestId };
  }

  #toSettlement(outcome: Outcome): Settlement {
    const { holdId, modelId, delivery, executionOrigin, admissionMs } = this.#plan;
    const isStream = delivery === 'streamed';
    const { state, usage, status, errorCode, stopReason, responseId } = outcome;
    const isOwn = this.#plan.routes[this.#routeIndex]?.ownCircuits !== undefined;
    // Of failed work, the last unanswered call ends the work; another route followed the earlier ones.
    const endsUnanswered = state === 'failed' && !outcome.isInDoubt && this.#unansweredCalls > 0;
    return {
      holdId,
      usage,
      isInDoubt: (outcome.isInDoubt && !isOwn) || endsUnanswered,
      unansweredCalls: this.#unansweredCalls - (endsUnanswered ? 1 : 0),
      facts: {
        responseId,
        modelId,
        provider: this.#provider,
        status,
        stopReason,
        errorCode,
        durationMs: BigInt(this.#elapsedMs()),
        success: state === 'served',
        streaming: isStream,
        executionOrigin,
        firstOutputMs: isStream && this.#firstOutputMs !== undefined ? BigInt(this.#firstOutputMs) : undefined,
        attempts: this.#attempts.list,
        admissionMs,
      },
    };
  }

  #elapsedMs(): number {
    return Math.round(this.#ctx.clock.elapsed() - this.#plan.startedAt);
  }

  /** A failure without any usage is reported early: there is no charge to wait for. */
  #settleWaitMs({ state, usage }: Outcome): number {
    const { call, awaitsSettlement } = this.#plan;
    const waitMs = awaitsSettlement ? Math.max(0, call.remainingMs()) : this.#ctx.config.settleWaitMs;
    return state !== 'served' && isNothing(usage) ? Math.min(waitMs, RELEASE_WAIT_MS) : waitMs;
  }
}

/** The error of work whose hold has expired. */
export function holdExpired(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the hold for this request has expired', { cause });
}

/** How long a failed request waits for the settlement of nothing before the failure is reported. */
const RELEASE_WAIT_MS = 1_000;

/** Releases the hold of a request that is refused before any provider is asked. Never rejects. */
export async function releaseHold(
  { ledger }: Pick<Context, 'ledger'>,
  { holdId, modelId, isStream }: { holdId: string; modelId: string; isStream: boolean },
  call: Call,
  refusal: unknown,
): Promise<void> {
  const { status, code: errorCode } = asAppError(refusal);
  const facts = { modelId, status, success: false, streaming: isStream, errorCode, stopReason: 'error' };
  await release(ledger, { holdId }, facts, call);
}
