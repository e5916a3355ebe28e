import { AppError, asAppError, toWire } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Charge } from '../../clients/settlements.js';
import type { AnswerPlaces, StreamEvent, StreamEvents, StreamWriter } from '../../dialects/dialect.js';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { nativeUsage, type ServedUsage, toProtoUsage } from '../../domain/usage.js';
import { toAudienceError } from '../../tools/tool-failure.js';
import { type StoringContext, storeResponse } from '../responses/store-response.js';
import { likelyInput } from './call-meter.js';
import { FrameQueue, type LastFrame, type QueueOwner } from './frame-queue.js';
import { isInBackground, type TurnPlan } from './turn-plan.js';

/** A stream starts at the latest this long after dispatch, whether or not the provider has answered. */
const START_AFTER_MS = 1_000;

interface SettledTurn {
  usage: ServedUsage;
  charge: Charge;
}

/** Keeps the answer of a turn. */
interface AnswerStore {
  /** Where the answer is to be kept. */
  readonly planned: AnswerPlaces;
  /** Returns where it is kept; never rejects. */
  store(answer: Readonly<Record<string, unknown>>): Promise<AnswerPlaces>;
}

const NO_DATA = new Uint8Array();
const NOWHERE: AnswerPlaces = { isStored: false, isInConversation: false };

/**
 * The output that a turn has sent:
 *
 * - `unsent`: nothing yet; the writer will start the stream.
 * - `passing`: nothing yet; the provider's own events will leave, including their start.
 * - `written`: the writer's events. From here on a failure is an event of the stream, and no answer can be forwarded.
 * - `forwarded`: the provider's own events. From here on no other route can continue the answer either.
 */
type OutputPhase = 'unsent' | 'passing' | 'written' | 'forwarded';

/** Writes a turn's output in the client's dialect: one start, one end. */
export class TurnOutput {
  readonly frames: FrameQueue;
  /** Absent for a plain call. Writes the events of a collected answer too, of which only the last leaves. */
  readonly writer: StreamWriter | undefined;
  readonly #plan: TurnPlan;
  #phase: OutputPhase = 'unsent';
  /** Last events of a forwarded answer; they leave after the settlement. */
  #held: StreamEvent[] = [];
  #startTimer: NodeJS.Timeout | undefined;
  readonly #store: AnswerStore | undefined;
  /** Whether the whole answer has been sent, but not its last frame. */
  #isAnswered = false;
  /** The last event of a collected answer. */
  #collected: StreamEvent | undefined;

  constructor(plan: TurnPlan, owner: QueueOwner, store?: AnswerStore) {
    this.#plan = plan;
    this.#store = store;
    this.frames = new FrameQueue(owner);
    const { dialect, info, body } = plan;
    const isWhole = plan.delivery === 'whole';
    this.writer = isWhole ? undefined : dialect.openStream(info, body, () => likelyInput(plan));
  }

  /** Starts the stream after a delay, if nothing else has started it by then. */
  startSoon(): void {
    if (this.#plan.delivery === 'streamed') this.#startTimer = setTimeout(() => this.start(), START_AFTER_MS);
  }

  /** Whether any output has left. */
  get hasStarted(): boolean {
    return this.#phase === 'written' || this.#phase === 'forwarded';
  }

  get hasForwarded(): boolean {
    return this.#phase === 'forwarded';
  }

  /** Sets whether the next call's answer is forwarded. Has no effect on output that has left. */
  expect(answer: 'forwarded' | 'translated'): void {
    if (!this.hasStarted) this.#phase = answer === 'forwarded' ? 'passing' : 'unsent';
  }

  start(): void {
    if (this.#phase === 'unsent' && this.writer) this.push(this.writer.start());
  }

  stopWaiting(): void {
    clearTimeout(this.#startTimer);
  }

  push(events: StreamEvents): void {
    if (!events) return;
    if (!this.hasStarted) this.#markStarted();
    const all = Array.isArray(events) ? (events as readonly StreamEvent[]) : [events as StreamEvent];
    if (this.#plan.delivery === 'collected') this.#collected = all.at(-1) ?? this.#collected;
    else for (const event of all) this.frames.push(event);
  }

  /** Passes a provider's event through, which adds `text` to the output. Holds the answer's last events back. */
  forward(received: StreamEvent, text: string, isLast: boolean): void {
    if (isLast && this.#store) {
      this.#held.push(received);
      return;
    }
    const event = this.#withState(received);
    if (isLast) {
      this.#held.push(event);
      return;
    }
    this.writer?.forwarded?.(event, text);
    this.push(event);
  }

  dropHeld(): void {
    this.#held = [];
  }

  /** An answer that is stored ends once it is: a request that continues it may follow at once. */
  end(answer: ModelAnswer, usage: ServedUsage, charge: Charge): void | Promise<void> {
    const last = { usage: toProtoUsage(usage), charge };
    if (this.#store) return this.#endStored(this.#store, answer, usage, last);
    // Usage and charge travel with the last data. When all data has left, they travel with none.
    if (this.#isAnswered) this.frames.pushBytes(NO_DATA);
    else this.#answer(answer, usage);
    this.frames.end(last);
  }

  /** Sends the answer while it is being settled, to callers that do not use it before the last frame. */
  async answerEarly(answer: ModelAnswer, usage: ServedUsage): Promise<void> {
    if (this.#plan.answersBeforeSettlement) this.#answer(answer, usage);
  }

  /** Sends the end of an answer that is not stored, without its last frame. */
  #answer(answer: ModelAnswer, usage: ServedUsage): void {
    if (this.writer) {
      this.start();
      this.push(this.#lastEvents(this.writer, answer, usage));
    } else {
      this.#markStarted();
      this.frames.pushBytes(this.#wholeAnswer(answer, usage));
    }
    this.#pushCollected();
    this.#isAnswered = true;
  }

  async #endStored(store: AnswerStore, answer: ModelAnswer, usage: ServedUsage, last: LastFrame): Promise<void> {
    if (this.writer) {
      this.start();
      const events = this.#lastEvents(this.writer, answer, usage);
      this.push(events.slice(0, -1));
      const { data, ...name } = events.at(-1)!;
      this.push({ ...name, data: await this.#stored(store, data, true) });
    } else {
      const json = Buffer.from(this.#wholeAnswer(answer, usage)).toString('utf8');
      const stored = await this.#stored(store, json, false);
      this.#markStarted();
      this.frames.pushBytes(Buffer.from(stored));
    }
    this.#pushCollected();
    this.frames.end(last);
  }

  /** The last event of a response has the whole of it. */
  #pushCollected(): void {
    if (!this.#collected) return;
    const { response } = JSON.parse(this.#collected.data) as { response?: unknown };
    this.frames.pushBytes(Buffer.from(JSON.stringify(response)));
  }

  async #stored(store: AnswerStore, json: string, isEvent: boolean): Promise<string> {
    const { dialect, body } = this.#plan;
    const { state } = dialect;
    if (!state) return json;
    const { planned } = store;
    const written = state.write(json, isEvent, body, planned);
    const kept = { ...planned, ...(await store.store(written.answer)) };
    const isAsPlanned = kept.isStored === planned.isStored && kept.isInConversation === planned.isInConversation;
    return isAsPlanned ? written.json : state.write(json, isEvent, body, kept).json;
  }

  #lastEvents(writer: StreamWriter, answer: ModelAnswer, usage: ServedUsage): StreamEvent[] {
    const isOurs = usage.isEstimated || answer.isUsageCounted;
    if (isOurs) for (const event of this.#held) event.data = this.#withUsage(event.data, usage, true);
    return writer.end(answer, usage, this.#held);
  }

  /** A provider does not know what the client's request continues, and whether it is stored here. */
  #withState(event: StreamEvent): StreamEvent {
    const { dialect, body } = this.#plan;
    const { state } = dialect;
    if (!state || !(this.#store || state.continues(body)) || !state.isIn(event)) return event;
    return { ...event, data: state.write(event.data, true, body, this.#store?.planned ?? NOWHERE).json };
  }

  /** `settled`: what the ledger acknowledged. Absent when it has not, or when there was nothing to settle. */
  error(thrown: unknown, settled?: SettledTurn): void {
    const { call } = this.#plan;
    const error = withServed(toAudienceError(call, asAppError(thrown)), settled, call);
    // The caller of a background response decides whether it is tried again, and ends its stream.
    if (this.#plan.delivery !== 'streamed' || !this.writer || !this.hasStarted || isInBackground(this.#plan)) {
      this.frames.fail(error);
    } else {
      this.push(this.writer.error(error));
      const paid = settled && { usage: toProtoUsage(settled.usage), charge: settled.charge };
      this.frames.end({ ...paid, hasFailed: true });
    }
  }

  #wholeAnswer(answer: ModelAnswer, usage: ServedUsage): Uint8Array {
    const { info, dialect, body } = this.#plan;
    const { forwarded } = answer;
    if (!forwarded) return Buffer.from(dialect.writeAnswer(info, answer, usage, body));
    const hasState = dialect.state?.continues(body) === true;
    const isOurs = usage.isEstimated || answer.isUsageCounted;
    if (!isOurs && !hasState) return forwarded;
    const text = Buffer.from(forwarded).toString('utf8');
    const json = isOurs ? this.#withUsage(text, usage, false) : text;
    return Buffer.from(hasState ? dialect.state!.write(json, false, body, NOWHERE).json : json);
  }

  /** Puts the usage that the client is charged for where the provider's body has none, or an implausible one. */
  #withUsage(json: string, usage: ServedUsage, isEvent: boolean): string {
    return this.#plan.dialect.withUsage?.(json, usage, isEvent) ?? json;
  }

  #markStarted(): void {
    this.#phase = this.#phase === 'passing' ? 'forwarded' : 'written';
    clearTimeout(this.#startTimer);
    const { model, info } = this.#plan;
    const { provider, droppedParameters } = info;
    this.frames.setHead({ model: model.model_id, provider, ...(droppedParameters && { droppedParameters }) });
  }
}

/** Adds what was served to a refusal in mid-turn: the caller is charged for it. */
function withServed(error: AppError, settled: SettledTurn | undefined, call: Call): AppError {
  if (!settled || error.status !== 402) return error;
  const { usage, charge } = settled;
  if (usage.inputTokens + usage.outputTokens + (usage.searches ?? 0) === 0) return error;
  const isCustomers = (call.principal?.customerId ?? '') !== '';
  const chargedMicrocents = Number(isCustomers ? charge.customerMicrocents : charge.ownerMicrocents);
  const servedBefore = { usage: nativeUsage(usage), chargedMicrocents };
  return new AppError(error.code, error.message, { ...toWire(error), cause: error.cause, servedBefore });
}

/** Returns how the answer of the turn is kept; undefined if it is not. */
export function openAnswerStore(ctx: StoringContext, plan: TurnPlan): AnswerStore | undefined {
  const { responseStorage, dialect, body, holdId, call } = plan;
  const { state } = dialect;
  if (!responseStorage || !state) return undefined;
  const { historyItems, previousKey, conversationKey, isUnlisted, backgroundId } = responseStorage;
  const planned = {
    isStored: !isUnlisted,
    isInConversation: conversationKey !== '',
    ...(backgroundId && { backgroundId }),
  };
  const place = {
    holdId,
    historyItems,
    previousKey: previousKey || undefined,
    conversationKey: conversationKey || undefined,
    isListed: !isUnlisted,
  };
  return {
    planned,
    store: (response) => storeResponse(ctx, { ...place, response, input: state.input(body) }, call),
  };
}
