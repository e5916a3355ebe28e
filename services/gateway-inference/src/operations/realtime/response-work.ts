import { type CatalogModel, modalityFeeTokens, pricedAt, realtimeCostMicrocents } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Charge } from '../../clients/settlements.js';
import type { ResponseUsage } from '../../domain/realtime/response-usage.js';
import type { ResponseEnd } from '../../domain/realtime/vendor-step.js';
import { failed, type HeldUsage, lost, type Outcome, served } from '../../domain/work-state.js';
import type { HeldWorker } from '../held-work/held-plan.js';
import { HeldWork, type HeldWorkContext } from '../held-work/held-work.js';
import type { RealtimeRoute } from './session-plan.js';

export interface ResponsePlan {
  call: Call;
  holdId: string;
  model: CatalogModel;
  route: RealtimeRoute;
}

/** The session of the response. */
export interface ResponseOwner {
  /** The process stops. */
  cut(): void;
  holdExpired(error: AppError): void;
}

/** One response of a session, as held work: from the request to the vendor to its settlement. */
export class ResponseWork implements HeldWorker {
  readonly #ctx: HeldWorkContext;
  readonly #plan: ResponsePlan;
  readonly #owner: ResponseOwner;
  readonly #work: HeldWork<RealtimeRoute>;
  readonly #startedAt: number;
  readonly #over: Promise<void>;
  #setOver: () => void = () => undefined;
  #hasOutput = false;

  constructor(ctx: HeldWorkContext, plan: ResponsePlan, owner: ResponseOwner) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#owner = owner;
    this.#startedAt = ctx.clock.elapsed();
    this.#over = new Promise((resolve) => {
      this.#setOver = resolve;
    });
    const { call, holdId, model, route } = plan;
    const held = { call, holdId, modelId: model.model_id, routes: [route], startedAt: this.#startedAt };
    const operation = 'realtime' as const;
    this.#work = new HeldWork(ctx, { ...held, operation, delivery: 'streamed', executionOrigin: 'provider' }, this);
  }

  /** Resolves when the outcome has been settled, or settling continues in the background. */
  get over(): Promise<void> {
    return this.#over;
  }

  /** Whether the outcome is still to be decided. */
  get isOpen(): boolean {
    return !this.#work.isOver;
  }

  /** The vendor is about to be asked. */
  asked(): void {
    this.#work.ask();
  }

  created(): void {
    this.#work.open();
  }

  hasOutput(): void {
    this.#hasOutput = true;
  }

  /** Settles a response that the vendor has ended. @throws AppError when the ledger has not acknowledged in time */
  async end(end: ResponseEnd, hasClientLeft: boolean): Promise<void> {
    await this.#settle(this.#toOutcome(end, hasClientLeft), end);
  }

  /** The vendor refused to create the response. */
  async reject(): Promise<void> {
    await this.#settle(failed({}, new AppError('PROVIDER_ERROR', 'the provider refused the response')));
  }

  /** The vendor may have served the response, and will not report it. Never rejects. */
  async lose(error?: AppError): Promise<void> {
    if (!this.#work.isOver) await this.#settle(lost({}, true, error)).catch(() => undefined);
  }

  usedSoFar(): HeldUsage {
    return {};
  }

  cut(): void {
    this.#owner.cut();
  }

  holdExpired(error: AppError): void {
    this.#owner.holdExpired(error);
  }

  #toOutcome({ status, usage, responseId }: ResponseEnd, hasClientLeft: boolean): Outcome {
    const broken = new AppError('PROVIDER_ERROR', 'the provider reported no usage');
    if (!usage) {
      // A response that failed before any output costs nothing.
      const costsNothing = status === 'failed' && !this.#hasOutput;
      return costsNothing ? failed({}, broken, 'error', responseId) : lost({}, true, broken);
    }
    const billed = this.#bill(usage);
    if (status === 'failed') return failed(billed, broken, 'error', responseId);
    return hasClientLeft ? { ...lost(billed, false), responseId } : served(billed, status, responseId);
  }

  #bill({ inputTokens, outputTokens, cachedTokens, tokens }: ResponseUsage): HeldUsage {
    const fee = BigInt(modalityFeeTokens(this.#plan.model, tokens));
    return {
      inputTokens: BigInt(inputTokens) + fee,
      outputTokens: BigInt(outputTokens),
      cacheReadInputTokens: BigInt(cachedTokens),
      toolFeeTokens: fee,
      providerMicrocents: realtimeCostMicrocents(pricedAt(this.#plan.model, this.#plan.route.prices), tokens),
    };
  }

  async #settle(outcome: Outcome, end?: ResponseEnd): Promise<void> {
    let charge: Charge | undefined;
    try {
      charge = await this.#work.settle(outcome);
    } finally {
      this.#log(outcome, end, charge);
      this.#setOver();
    }
  }

  #log(outcome: Outcome, end: ResponseEnd | undefined, charge: Charge | undefined): void {
    const { call, holdId, model, route } = this.#plan;
    const { inputTokens = 0, outputTokens = 0, tokens } = end?.usage ?? {};
    const customerId = call.principal?.customerId || undefined;
    const fields = {
      request_id: call.requestId,
      hold_id: holdId,
      response_id: outcome.responseId || undefined,
      project_id: call.principal?.projectId || undefined,
      customer_id: customerId,
      model: model.model_id,
      provider: route.provider.id,
      outcome: outcome.state,
      status: end?.status,
      error_code: outcome.errorCode || undefined,
      in_doubt: outcome.isInDoubt || undefined,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      input_audio_tokens: tokens?.input.audio,
      output_audio_tokens: tokens?.output.audio,
      charged_microcents: charge && Number(customerId ? charge.customerMicrocents : charge.ownerMicrocents),
      duration_ms: Math.round(this.#ctx.clock.elapsed() - this.#startedAt),
    };
    this.#ctx.logger.info(fields, 'realtime response ended');
  }
}
