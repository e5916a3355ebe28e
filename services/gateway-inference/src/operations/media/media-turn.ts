import { pricedAt, providerCostMicrocents, type RoutePrices } from '@tollgate/catalog';
import type { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { HeldUsage } from '../../domain/work-state.js';
import type { MediaCall, MediaProvider, MediaUsage } from '../../providers/contract/media-provider.js';
import { AwaitedWork } from '../held-work/awaited-work.js';
import { type HeldWorkContext, releaseHold } from '../held-work/held-work.js';
import { type MediaPlan, type MediaRequest, type MediaRoute, planMedia } from './media-plan.js';

/** A provider's figure is plausible up to this multiple of what the hold covers, plus this many units. */
const PLAUSIBLE_FACTOR = 2;
const PLAUSIBLE_SLACK_UNITS = 1_024;

/** The parts of the context that media requests use. */
export type MediaContext = HeldWorkContext & Pick<Context, 'catalog' | 'connections' | 'ledger'>;

/** One request for embeddings, speech or a transcript, as held work. */
export class MediaTurn {
  readonly #ctx: Pick<Context, 'logger'>;
  readonly #plan: MediaPlan;
  readonly #work: AwaitedWork<MediaRoute>;
  /** Of the route that was asked last. */
  #prices: RoutePrices | undefined;

  constructor(ctx: HeldWorkContext, plan: MediaPlan) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#work = new AwaitedWork(ctx, plan);
  }

  /** Whether the outcome has been decided. */
  get isOver(): boolean {
    return this.#work.isOver;
  }

  /** @throws AppError when no route answered; the hold is released then */
  ask<Answer>(attempt: (provider: MediaProvider, call: MediaCall) => Promise<Answer>): Promise<Answer> {
    return this.#work.ask((route) => attempt(route.provider, this.#toCall(route)));
  }

  /**
   * Settles a complete answer. Resolves with its usage.
   *
   * @throws AppError when the ledger has not acknowledged in time: the end must not leave then
   */
  async settle(usage: MediaUsage): Promise<MediaUsage> {
    const settled = this.#plausible(usage);
    await this.#work.settle(this.#toHeldUsage(settled));
    return settled;
  }

  /** The unit that the model is sold in. */
  get meteredIn(): MediaCall['meteredIn'] {
    return this.#plan.model.metered_in;
  }

  /** Settles a failure after `usage` was served. Resolves with the error to report. */
  fail(thrown: unknown, usage?: MediaUsage): Promise<AppError> {
    return this.#work.fail(thrown, usage ? this.#toHeldUsage(this.#plausible(usage)) : {});
  }

  /** Settles a request whose caller left after `usage` was served. Never rejects. */
  abandon(usage: MediaUsage): Promise<void> {
    return this.#work.abandon(this.#toHeldUsage(this.#plausible(usage)));
  }

  /** The charge of the provider is reported only where the route has its own prices: otherwise the hold has them. */
  #toHeldUsage({ inputUnits, outputUnits, isEstimated }: MediaUsage): HeldUsage {
    const usage = { inputTokens: BigInt(inputUnits), outputTokens: BigInt(outputUnits), estimated: isEstimated };
    if (!this.#prices) return usage;
    const priced = pricedAt(this.#plan.model, this.#prices);
    const counted = { inputTokens: inputUnits, outputTokens: outputUnits };
    return { ...usage, providerMicrocents: providerCostMicrocents(priced, counted) };
  }

  #toCall({ upstreamModel, prices }: MediaRoute): MediaCall {
    this.#prices = prices;
    const { holdId, model, modelName } = this.#plan;
    const { requestId, principal, signal } = this.#work.call;
    const accountId = principal?.accountId ?? '';
    return { requestId, accountId, holdId, upstreamModel, modelName, meteredIn: model.metered_in, signal };
  }

  /** Returns our own count if the provider's figure is implausible. */
  #plausible({ estimate, ...usage }: MediaUsage): MediaUsage {
    const { held, modelId } = this.#plan;
    const isPlausible =
      usage.inputUnits <= PLAUSIBLE_FACTOR * held.inputUnits + PLAUSIBLE_SLACK_UNITS &&
      usage.outputUnits <= PLAUSIBLE_FACTOR * held.outputUnits + PLAUSIBLE_SLACK_UNITS;
    if (isPlausible || !estimate) return usage;
    const fields = { usage, provider: this.#work.provider, model_id: modelId, request_id: this.#work.call.requestId };
    this.#ctx.logger.warn(fields, 'implausible provider usage ignored');
    return estimate;
  }
}

/** Plans a media request. @throws AppError for a refusal; the hold is released then */
export async function openMediaTurn(ctx: MediaContext, request: MediaRequest, call: Call): Promise<MediaTurn> {
  const { admission, isStream } = request;
  try {
    return new MediaTurn(ctx, planMedia(ctx, request, call));
  } catch (refusal) {
    if (admission) await releaseHold(ctx, { ...admission, isStream }, call, refusal);
    throw refusal;
  }
}
