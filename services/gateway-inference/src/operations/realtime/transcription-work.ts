import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Charge } from '../../clients/settlements.js';
import type { Transcriber, TranscriptUsage } from '../../domain/realtime/transcription.js';
import { failed, type HeldUsage, lost, type Outcome, served } from '../../domain/work-state.js';
import type { HeldWorker } from '../held-work/held-plan.js';
import { HeldWork, type HeldWorkContext } from '../held-work/held-work.js';
import type { ResponseOwner } from './response-work.js';
import type { RealtimeRoute } from './session-plan.js';

export interface TranscriptionPlan {
  call: Call;
  holdId: string;
  transcriber: Transcriber;
  route: RealtimeRoute;
  /** Speech that the hold covers. */
  heldMs: number;
}

/** Transcripts under one hold, as held work: from the speech to the settlement of its transcript. */
export class TranscriptionWork implements HeldWorker {
  readonly #ctx: HeldWorkContext;
  readonly #plan: TranscriptionPlan;
  readonly #owner: ResponseOwner;
  readonly #work: HeldWork<RealtimeRoute>;
  readonly #startedAt: number;
  /** Items that the vendor is writing down. */
  readonly #items = new Set<string>();
  #hasStarted = false;
  #hasFailed = false;
  #lacksUsage = false;
  #used: TranscriptUsage = { inputUnits: 0, outputUnits: 0 };
  #settling: Promise<void> | undefined;
  readonly #over: Promise<void>;
  #setOver: () => void = () => undefined;

  constructor(ctx: HeldWorkContext, plan: TranscriptionPlan, owner: ResponseOwner) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#owner = owner;
    this.#startedAt = ctx.clock.elapsed();
    this.#over = new Promise((resolve) => {
      this.#setOver = resolve;
    });
    const { call, holdId, transcriber, route } = plan;
    const held = { call, holdId, modelId: transcriber.model.model_id, routes: [route], startedAt: this.#startedAt };
    this.#work = new HeldWork(ctx, { ...held, delivery: 'streamed', executionOrigin: 'provider' }, this);
    this.#work.ask();
  }

  get holdId(): string {
    return this.#plan.holdId;
  }

  get heldMs(): number {
    return this.#plan.heldMs;
  }

  /** Whether an item has been written down, or is being written down, under this hold. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get isWriting(): boolean {
    return this.#items.size > 0;
  }

  /** Resolves when the outcome has been settled, or settling continues in the background. */
  get over(): Promise<void> {
    return this.#over;
  }

  /** The vendor writes an item down. */
  begin(itemId: string): void {
    if (!this.#hasStarted) this.#work.open();
    this.#hasStarted = true;
    this.#items.add(itemId);
  }

  /** It has written the item down. `usage` is undefined when it reported none. */
  wrote(itemId: string, usage: TranscriptUsage | undefined): void {
    this.#items.delete(itemId);
    if (!usage) this.#lacksUsage = true;
    this.#used.inputUnits += usage?.inputUnits ?? 0;
    this.#used.outputUnits += usage?.outputUnits ?? 0;
  }

  /** It could not, which costs nothing. */
  failed(itemId: string): void {
    this.#items.delete(itemId);
    this.#hasFailed = true;
  }

  /** Settles what was written. @throws AppError when the ledger has not acknowledged in time */
  async settle(error?: AppError): Promise<void> {
    this.#settling ??= this.#settle(this.#toOutcome(error));
    await this.#settling;
  }

  /** Nothing was written down: nothing is reported. The caller releases the hold. */
  withdraw(): void {
    if (!this.#work.isOver) this.#work.withdraw();
    this.#setOver();
  }

  usedSoFar(): HeldUsage {
    return this.#toUsage();
  }

  cut(): void {
    this.#owner.cut();
  }

  holdExpired(error: AppError): void {
    this.#owner.holdExpired(error);
  }

  #toUsage(): HeldUsage {
    const { inputUnits, outputUnits } = this.#used;
    return { inputTokens: BigInt(Math.ceil(inputUnits)), outputTokens: BigInt(Math.ceil(outputUnits)) };
  }

  #toOutcome(error?: AppError): Outcome {
    const usage = this.#toUsage();
    const mayBeServed = this.isWriting || !this.#hasStarted;
    if (error || mayBeServed) return lost(usage, mayBeServed, error);
    if (this.#lacksUsage) return lost(usage, true, new AppError('PROVIDER_ERROR', 'the provider reported no usage'));
    const hasServed = this.#used.inputUnits > 0 || !this.#hasFailed;
    return hasServed ? served(usage) : failed({}, new AppError('PROVIDER_ERROR', 'the provider wrote nothing down'));
  }

  async #settle(outcome: Outcome): Promise<void> {
    let charge: Charge | undefined;
    try {
      charge = await this.#work.settle(outcome);
    } finally {
      this.#log(outcome, charge);
      this.#setOver();
    }
  }

  #log(outcome: Outcome, charge: Charge | undefined): void {
    const { call, holdId, transcriber, route } = this.#plan;
    const customerId = call.principal?.customerId || undefined;
    const fields = {
      request_id: call.requestId,
      hold_id: holdId,
      project_id: call.principal?.projectId || undefined,
      customer_id: customerId,
      model: transcriber.model.model_id,
      provider: route.provider.id,
      outcome: outcome.state,
      error_code: outcome.errorCode || undefined,
      in_doubt: outcome.isInDoubt || undefined,
      input_units: this.#used.inputUnits,
      output_units: this.#used.outputUnits,
      charged_microcents: charge && Number(customerId ? charge.customerMicrocents : charge.ownerMicrocents),
      duration_ms: Math.round(this.#ctx.clock.elapsed() - this.#startedAt),
    };
    this.#ctx.logger.info(fields, 'realtime transcription ended');
  }
}
