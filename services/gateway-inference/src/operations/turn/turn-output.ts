import { AppError, asAppError, toWire } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Charge } from '../../clients/settlements.js';
import type { StreamEvent, StreamEvents, StreamWriter } from '../../dialects/dialect.js';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { nativeUsage, type ServedUsage, toProtoUsage } from '../../domain/usage.js';
import { forAudienceOf } from '../../tools/tool-failure.js';
import { likelyInput } from './call-meter.js';
import { FrameQueue, type QueueOwner } from './frame-queue.js';
import type { TurnPlan } from './turn-plan.js';

/** A stream begins at the latest this long after dispatch, whether or not the provider has answered. */
const START_AFTER_MS = 1_000;

interface SettledTurn {
  usage: ServedUsage;
  charge: Charge;
}

/** What leaves a turn, in the client's dialect: begins once, ends once. */
export class TurnOutput {
  readonly frames: FrameQueue;
  /** Absent for a plain call. */
  readonly writer: StreamWriter | undefined;
  /** The provider's own events go out untouched, their beginning included. */
  isForwarding = false;
  /** Some of those have left: no other route can go on from there. */
  hasForwarded = false;
  readonly #plan: TurnPlan;
  #hasStarted = false;
  /** Events of a forwarded answer's end. */
  #held: StreamEvent[] = [];
  #startTimer: NodeJS.Timeout | undefined;

  constructor(plan: TurnPlan, owner: QueueOwner) {
    this.#plan = plan;
    this.frames = new FrameQueue(owner);
    const { dialect, facts, body } = plan;
    this.writer = plan.isStream ? dialect.openStream(facts, body, () => likelyInput(plan)) : undefined;
  }

  /** From now on the client is kept waiting. */
  startSoon(): void {
    if (this.writer) this.#startTimer = setTimeout(() => this.start(), START_AFTER_MS);
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  start(): void {
    if (this.#hasStarted || this.isForwarding || !this.writer) return;
    this.push(this.writer.start());
  }

  stopWaiting(): void {
    clearTimeout(this.#startTimer);
  }

  push(events: StreamEvents): void {
    if (!events) return;
    if (!this.#hasStarted) this.#begun();
    if (!Array.isArray(events)) this.frames.push(events as StreamEvent);
    else for (const event of events) this.frames.push(event);
  }

  /** Passes on an event of the provider, which adds `text` to the output; holds its last events until the end may leave. */
  forward(event: StreamEvent, text: string, isLast: boolean): void {
    if (isLast) {
      this.#held.push(event);
      return;
    }
    this.hasForwarded = true;
    this.writer?.forwarded?.(event, text);
    this.push(event);
  }

  dropHeld(): void {
    this.#held = [];
  }

  end(answer: ModelAnswer, usage: ServedUsage, charge: Charge): void {
    if (this.writer) {
      this.start();
      if (usage.isEstimated) for (const event of this.#held) event.data = this.#withUsage(event.data, usage, true);
      this.push(this.writer.end(answer, usage, this.#held));
    } else {
      this.#begun();
      this.frames.pushBytes(this.#wholeAnswer(answer, usage));
    }
    this.frames.end({ usage: toProtoUsage(usage), charge });
  }

  /** `settled`: what the ledger acknowledged. Absent when it has not, or when nothing was to be settled. */
  error(thrown: unknown, settled?: SettledTurn): void {
    const { call } = this.#plan;
    const error = withServed(forAudienceOf(call, asAppError(thrown)), settled, call);
    if (!this.writer || !this.#hasStarted) {
      this.frames.fail(error);
    } else {
      this.push(this.writer.error(error));
      const paid = settled && { usage: toProtoUsage(settled.usage), charge: settled.charge };
      this.frames.end({ ...paid, hasFailed: true });
    }
  }

  #wholeAnswer(answer: ModelAnswer, usage: ServedUsage): Uint8Array {
    const { facts, dialect, body } = this.#plan;
    const { forwarded } = answer;
    if (!forwarded) return Buffer.from(dialect.writeAnswer(facts, answer, usage, body));
    if (!usage.isEstimated) return forwarded;
    return Buffer.from(this.#withUsage(Buffer.from(forwarded).toString('utf8'), usage, false));
  }

  /** The client reads what it is charged for, also where the provider gave no figure, or one that cannot be. */
  #withUsage(json: string, usage: ServedUsage, isEvent: boolean): string {
    return this.#plan.dialect.withUsage?.(json, usage, isEvent) ?? json;
  }

  /** From here on a failure is an event of the stream. */
  #begun(): void {
    this.#hasStarted = true;
    clearTimeout(this.#startTimer);
    this.frames.setHead(this.#plan.model.model_id, this.#plan.facts.provider);
  }
}

/** Adds what was served to a refusal in the middle of a turn: its reader is charged for that. */
function withServed(error: AppError, settled: SettledTurn | undefined, call: Call): AppError {
  if (!settled || error.status !== 402) return error;
  const { usage, charge } = settled;
  if (usage.inputTokens + usage.outputTokens + (usage.searches ?? 0) === 0) return error;
  const isCustomers = (call.principal?.customerId ?? '') !== '';
  const chargedMicrocents = Number(isCustomers ? charge.customerMicrocents : charge.ownerMicrocents);
  const servedBefore = { usage: nativeUsage(usage), chargedMicrocents };
  return new AppError(error.code, error.message, { ...toWire(error), cause: error.cause, servedBefore });
}
