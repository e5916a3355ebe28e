import { AppError, asAppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Settlement } from '../../clients/settlements.js';
import type { Context } from '../../context.js';
import { isWorthAnotherRoute, ProviderFailure, turnError } from '../../domain/provider-failure.js';
import type { MediaCall, MediaProvider, MediaUsage } from '../../providers/contract/media-provider.js';
import { HeldWork } from '../held-work/held-work.js';
import type { MediaPlan, MediaRoute } from './media-plan.js';

/** How long a failed request waits for its hold to be released before it is told. */
const RELEASE_WAIT_MS = 1_000;

/** Up to this multiple of what is held for, and so many units, a provider's figure is plausible. */
const PLAUSIBLE_FACTOR = 2;
const PLAUSIBLE_SLACK_UNITS = 1_024;

/** What a call that failed before its answer is settled with. */
export const NOTHING_SERVED: MediaUsage = { inputUnits: 0, outputUnits: 0, isEstimated: false };

interface Ending {
  usage: MediaUsage;
  status: number;
  errorCode: string;
  stopReason: string;
  isInDoubt?: boolean;
}

/**
 * One request for embeddings, speech or a transcript: asks the routes of its plan in order until one answers, keeps the
 * hold alive meanwhile, and settles once, whatever happens.
 */
export class MediaTurn {
  readonly #ctx: Context;
  readonly #plan: MediaPlan;
  readonly #call: Call;
  readonly #isStream: boolean;
  readonly #startedAt: number;
  readonly #work: HeldWork;
  #route: MediaRoute | undefined;
  #isSettled = false;

  constructor(ctx: Context, plan: MediaPlan, call: Call, isStream: boolean) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#call = call;
    this.#isStream = isStream;
    this.#startedAt = ctx.clock.nowMs();
    this.#work = new HeldWork(ctx, plan.holdId, call);
  }

  /** @throws AppError when no route has answered; then the request is settled with nothing. */
  async ask<Answer>(of: (provider: MediaProvider, call: MediaCall) => Promise<Answer>): Promise<Answer> {
    const failures: ProviderFailure[] = [];
    try {
      for (const route of this.#plan.routes) {
        this.#route = route;
        try {
          return await of(route.provider, this.#callOf(route));
        } catch (error) {
          if (this.signal.aborted) throw reasonOf(this.signal);
          if (!(error instanceof ProviderFailure)) throw error;
          failures.push(error);
          this.#log(error);
          if (!isWorthAnotherRoute(error)) break;
        }
      }
      throw turnError(failures, this.#call.requestId);
    } catch (thrown) {
      throw await this.fail(thrown, NOTHING_SERVED);
    }
  }

  /** The answer is complete. @throws AppError when the ledger has not acknowledged in time: the end must not leave then */
  settle(usage: MediaUsage): Promise<void> {
    return this.#close({ usage, status: 200, errorCode: '', stopReason: 'stop' }, this.#ctx.config.settleWaitMs);
  }

  /** The request has failed after so much was served. Resolves with the error to tell. */
  async fail(thrown: unknown, usage: MediaUsage): Promise<AppError> {
    const error = thrown instanceof ProviderFailure ? turnError([thrown], this.#call.requestId) : asAppError(thrown);
    if (this.signal.aborted) {
      await this.abandon(usage);
    } else {
      const ending: Ending = { usage, status: error.status, errorCode: error.code, stopReason: 'error' };
      await this.#close(ending, waitMs(usage, this.#ctx)).catch(() => undefined);
    }
    return error;
  }

  /** The caller has gone after so much was served. Never rejects. */
  async abandon(usage: MediaUsage): Promise<void> {
    // Cut off by us before it had told anything, the provider may have served it all the same.
    const isInDoubt = isNothing(usage);
    const ending: Ending = { usage, status: 499, errorCode: 'CANCELED', stopReason: 'canceled', isInDoubt };
    await this.#close(ending, waitMs(usage, this.#ctx)).catch(() => undefined);
  }

  /** Whether the request has been settled, well or not. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Aborted when the caller has gone, the hold has ended, or the process stops. */
  get signal(): AbortSignal {
    return this.#work.call.signal;
  }

  #callOf({ upstreamModel }: MediaRoute): MediaCall {
    const { holdId, model, modelName } = this.#plan;
    const { requestId, principal } = this.#call;
    const accountId = principal?.accountId ?? '';
    return { requestId, accountId, holdId, upstreamModel, modelName, meteredIn: model.metered_in, signal: this.signal };
  }

  #log({ provider, kind, status, cause }: ProviderFailure): void {
    const fields = { err: cause, provider, kind, status, request_id: this.#call.requestId };
    this.#ctx.logger.warn(fields, 'a provider call failed');
  }

  async #close(ending: Ending, waitMs: number): Promise<void> {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#work.done();
    const settlement = this.#settlement({ ...ending, usage: this.#plausible(ending.usage) });
    await this.#ctx.settlements.settle(settlement, this.#call, waitMs);
  }

  /** Our own count where the provider's figure cannot be. */
  #plausible({ estimate, ...usage }: MediaUsage): MediaUsage {
    const { held, model } = this.#plan;
    const isPlausible =
      usage.inputUnits <= PLAUSIBLE_FACTOR * held.inputUnits + PLAUSIBLE_SLACK_UNITS &&
      usage.outputUnits <= PLAUSIBLE_FACTOR * held.outputUnits + PLAUSIBLE_SLACK_UNITS;
    if (isPlausible || !estimate) return usage;
    const fields = { usage, provider: this.#route?.provider.id, model_id: model.model_id };
    this.#ctx.logger.warn({ ...fields, request_id: this.#call.requestId }, 'implausible provider usage ignored');
    return estimate;
  }

  #settlement({ usage, status, errorCode, stopReason, isInDoubt = false }: Ending): Settlement {
    return {
      holdId: this.#plan.holdId,
      usage: {
        inputTokens: BigInt(usage.inputUnits),
        outputTokens: BigInt(usage.outputUnits),
        estimated: usage.isEstimated,
      },
      isInDoubt,
      facts: {
        modelId: this.#plan.model.model_id,
        provider: this.#route?.provider.id ?? '',
        status,
        success: status === 200,
        streaming: this.#isStream,
        executionOrigin: 'provider',
        durationMs: BigInt(Math.max(0, this.#ctx.clock.nowMs() - this.#startedAt)),
        stopReason,
        errorCode,
      },
    };
  }
}

function reasonOf({ reason }: AbortSignal): AppError {
  return isAppError(reason) ? reason : new AppError('RELAY_TIMEOUT', 'the call was cancelled');
}

function isNothing({ inputUnits, outputUnits }: MediaUsage): boolean {
  return inputUnits === 0 && outputUnits === 0;
}

function waitMs(usage: MediaUsage, { config }: Context): number {
  return isNothing(usage) ? RELEASE_WAIT_MS : config.settleWaitMs;
}
