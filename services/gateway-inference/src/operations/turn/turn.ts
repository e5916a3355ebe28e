import { AppError, asAppError, isAppError } from '@tollgate/errors';
import { yieldLoop } from '@tollgate/runtime';
import type { Charge } from '../../clients/settlements.js';
import { type ModelAnswer, RUNAWAY_ANSWER, type TokenUsage } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import { addUsage, NOTHING_SERVED, type ProtoUsage, type ServedUsage, toBilledUsage } from '../../domain/usage.js';
import { failed, lost, type Outcome, served } from '../../domain/work-state.js';
import type { ModelExchange, ModelListener } from '../../providers/contract/provider.js';
import { startModelCall } from '../../providers/traced-call.js';
import type { HeldWorker } from '../held-work/held-plan.js';
import { HeldWork } from '../held-work/held-work.js';
import { storeAnswer } from './cached-turn.js';
import { ABANDONED_GRACE_MS, ABANDONED_OUTPUT_BYTES_MAX, CallMeter } from './call-meter.js';
import type { FrameQueue, QueueOwner } from './frame-queue.js';
import { toModelCall } from './model-call.js';
import { CallTranscript, ToolLoop } from './tool-loop.js';
import { openAnswerStore, TurnOutput } from './turn-output.js';
import { isInBackground, type TurnContext, type TurnPlan, type TurnRoute } from './turn-plan.js';

/**
 * One turn as held work: asks the routes of its plan until one answers with its first byte, writes the output in the
 * client's dialect, and settles before it sends the end. When the answer calls tools that the service runs, the turn
 * continues with their results in a further model call; all calls are settled once, together.
 */
export class Turn implements ModelListener, QueueOwner, HeldWorker {
  readonly #ctx: TurnContext;
  readonly #plan: TurnPlan;
  readonly #work: HeldWork<TurnRoute>;
  readonly #out: TurnOutput;
  /** Absent when the request declares no tools, or its caller runs them. */
  readonly #loop: ToolLoop | undefined;
  /** Output of the turn, recorded when the answer is to be cached. */
  readonly #transcript: CallTranscript | undefined;
  /** The route that was asked last. */
  #route: TurnRoute | undefined;
  /** Set from the first call on; cleared when a call has ended, so that its late output is ignored. */
  #exchange: ModelExchange | undefined;
  /** Measures the current model call. */
  #meter: CallMeter;
  /** Set when the reader has left. */
  #graceTimer: NodeJS.Timeout | undefined;
  #bytesWhenLeft = 0;

  constructor(ctx: TurnContext, plan: TurnPlan) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#work = new HeldWork(ctx, plan, this);
    this.#out = new TurnOutput(plan, this, openAnswerStore(ctx, plan));
    this.#loop = plan.tools ? new ToolLoop(ctx, plan, plan.tools, this.#out) : undefined;
    const isCacheable = plan.cacheKey !== undefined && plan.executionOrigin === 'provider';
    this.#transcript = isCacheable ? new CallTranscript(0) : undefined;
    this.#meter = new CallMeter(plan, ctx.logger);
  }

  get frames(): FrameQueue {
    return this.#out.frames;
  }

  start(): void {
    const { call } = this.#plan;
    this.#out.startSoon();
    this.#askRoute();
    if (this.#work.isOver) return;
    if (call.isAborted) this.#callAborted();
    else call.onAbort(this.#callAborted);
  }

  /** The caller has left, or its deadline has passed. */
  readonly #callAborted = (): void => {
    const reason = this.#plan.call.abortReason;
    this.frames.fail(isAppError(reason) ? reason : new AppError('RELAY_TIMEOUT', 'the call was canceled'));
    this.readerLeft();
  };

  readerIsSlow(): void {
    if (!this.#hasReaderLeft) this.#exchange?.pause();
  }

  readerCaughtUp(): void {
    this.#exchange?.resume();
  }

  readerLeft(): void {
    if (this.#work.isOver || this.#hasReaderLeft) return;
    // After the sockets: a process that was paused finds its timers due before it has read what arrived. In a turn of its
    // own: the readers of a thousand turns leave together when their client ends.
    this.#graceTimer = setTimeout(() => void yieldLoop().then(() => this.cut()), ABANDONED_GRACE_MS);
    this.#bytesWhenLeft = this.#meter.relayedBytes;
    this.#exchange?.resume();
  }

  get #hasReaderLeft(): boolean {
    return this.#graceTimer !== undefined;
  }

  /** Ends the turn with what has arrived. */
  cut(): void {
    this.#exchange?.readWaiting();
    if (this.#work.isOver) return;
    const isInDoubt = this.#stop();
    // An unacknowledged settlement continues in the background and is logged there.
    this.#settle(lost(this.usedSoFar(), isInDoubt)).catch(() => undefined);
  }

  usedSoFar(): ProtoUsage {
    return this.#billed(this.#usageSoFar(this.#isOpen));
  }

  holdExpired(error: AppError): void {
    this.#exchange?.readWaiting();
    if (this.#work.isOver) return;
    const isInDoubt = this.#stop();
    const usage = this.#usageSoFar(this.#isOpen);
    this.#end(error, usage, lost(this.#billed(usage), isInDoubt, error));
  }

  onOpen(): void {
    const startMs = this.#work.open();
    if (this.#route && this.#plan.routes.length > 1) this.#ctx.circuits.started(this.#route, startMs);
    this.#out.start();
  }

  onReasoning(delta: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(delta);
    this.#boundOutput();
  }

  onText(delta: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(delta);
    if (this.#transcript) this.#transcript.text += delta;
    if (this.#loop) this.#loop.text(delta);
    const { writer } = this.#out;
    if (writer) this.#out.push(writer.text(delta));
    this.#boundOutput();
  }

  onToolCall(index: number, id: string, name: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(name);
    this.#transcript?.open(index, id, name);
    const { writer } = this.#out;
    const at = this.#loop ? this.#loop.open(index, id, name) : index;
    if (writer) this.#out.push(writer.toolCall(at, id, name));
  }

  onToolArguments(index: number, delta: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(delta);
    this.#transcript?.write(index, delta);
    const { writer } = this.#out;
    const at = this.#loop ? this.#loop.write(index, delta) : index;
    if (writer) this.#out.push(writer.toolArguments(at, delta));
    this.#boundOutput();
  }

  onForward(data: string, text: string, isLast: boolean, name?: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(text);
    this.#out.forward(name === undefined ? { data } : { data, event: name }, text, isLast);
    this.#boundOutput();
  }

  onUsage(usage: TokenUsage): void {
    this.#meter.report(usage);
  }

  onAnswer(answer: ModelAnswer): void {
    if (this.#work.isOver) return;
    this.#recordRoute();
    this.#callEnded(answer);
  }

  onFailure(failure: ProviderFailure): void {
    if (this.#work.isOver) return;
    this.#recordRoute(failure);
    const hasOutput = this.#meter.hasOutput || this.#out.hasForwarded;
    if (hasOutput && failure.usage) this.#meter.report(failure.usage);
    if (this.#work.retryAfter(failure, { hasOutput, isAwaited: !this.#hasReaderLeft })) {
      this.#out.dropHeld();
      this.#askRoute();
    } else this.#fail(this.#work.error());
  }

  /** Answers from the cache say nothing about a route. */
  #recordRoute(failure?: ProviderFailure): void {
    if (this.#route && this.#plan.executionOrigin === 'provider') this.#ctx.circuits.record(this.#route, failure);
  }

  #callEnded(answer: ModelAnswer): void {
    const usage = this.#meter.finalUsage(answer);
    if (!this.#loop) this.#finish(answer, usage);
    else if (this.#hasReaderLeft) this.#finish(answer, addUsage(this.#loop.served, usage));
    else this.#continueAfter(this.#loop, answer, usage);
  }

  #askRoute(): void {
    const route = this.#work.ask();
    this.#route = route;
    this.#meter.asks(route);
    this.#plan.info.provider = route.provider.id;
    try {
      const call = toModelCall(this.#plan, route, !this.#out.hasStarted);
      this.#out.expect(call.forward ? 'forwarded' : 'translated');
      // The cache is not a provider: its answers are not model calls.
      const traceparent = this.#plan.executionOrigin === 'provider' ? this.#plan.call.traceparent : undefined;
      const tracing = { traceparent, capturesContent: this.#ctx.config.capturesContent };
      this.#exchange = startModelCall(route.provider, call, this, tracing);
      if (this.frames.isFull && !this.#hasReaderLeft) this.#exchange.pause();
    } catch (thrown) {
      const error = asAppError(thrown);
      if (this.#work.skipRoute(error)) this.#askRoute();
      else this.#fail(this.#work.error(error));
    }
  }

  /** Runs the tools that the answer calls, as far as the service runs them, and asks the model again. */
  #continueAfter(loop: ToolLoop, answer: ModelAnswer, usage: ServedUsage): void {
    this.#exchange = undefined;
    this.#meter = new CallMeter(this.#plan, this.#ctx.logger);
    this.#work.pause();
    loop.next(answer, usage).then(
      (whole) => {
        if (this.#work.isOver) return;
        if (whole) this.#finish(whole, loop.served);
        else this.#askRoute();
      },
      (error: unknown) => (this.#hasReaderLeft ? this.cut() : this.#fail(asAppError(error))),
    );
  }

  #finish(answer: ModelAnswer, usage: ServedUsage): void {
    const fault = answer.fault ?? this.#out.writer?.fault?.(answer);
    if (!fault && this.#transcript) storeAnswer(this.#ctx, this.#plan, answer, this.#transcript);
    const { stopReason, responseId } = answer;
    const billed = this.#billed(usage);
    const outcome = fault ? failed(billed, fault, stopReason, responseId) : served(billed, stopReason, responseId);
    Promise.all([this.#settle(outcome), fault ? undefined : this.#out.answerEarly(answer, usage)])
      .then(([charge]) => (fault ? this.#out.error(fault, { usage, charge }) : this.#out.end(answer, usage, charge)))
      .catch((error: unknown) => this.#out.error(error));
  }

  /** Cuts a provider that ignores the output bound, and ends the answer there. Cuts a long answer without a reader. */
  #boundOutput(): void {
    if (this.#hasReaderLeft && this.#meter.relayedBytes - this.#bytesWhenLeft > ABANDONED_OUTPUT_BYTES_MAX) {
      this.cut();
      return;
    }
    if (!this.#meter.isRunaway) return;
    const fields = { provider: this.#plan.info.provider, request_id: this.#plan.call.requestId };
    this.#ctx.logger.warn(fields, 'provider exceeded the output bound');
    this.#exchange?.abort();
    this.#exchange = undefined;
    this.#callEnded(RUNAWAY_ANSWER);
  }

  /** Stops the model call and the tools. Returns whether the provider may have served something that it has not reported. */
  #stop(): boolean {
    this.#loop?.abort();
    return this.#exchange?.abort() === true && !this.#isOpen;
  }

  /** A call that failed before any output left is free, and so is that of a background response: its caller tries again. */
  #fail(error: AppError): void {
    if (this.#work.isOver) return;
    const usage = isInBackground(this.#plan) ? (this.#loop?.served ?? NOTHING_SERVED) : this.#usageSoFar(false);
    this.#end(error, usage, failed(this.#billed(usage), error));
  }

  #end(error: AppError, usage: ServedUsage, outcome: Outcome): void {
    this.#settle(outcome).then(
      (charge) => this.#out.error(error, { usage, charge }),
      () => this.#out.error(error),
    );
  }

  /** Whether the provider has accepted the current streamed call: its input is charged from then on. */
  get #isOpen(): boolean {
    return this.#work.state === 'open';
  }

  #usageSoFar(isInputDue: boolean): ServedUsage {
    return addUsage(this.#loop?.served ?? NOTHING_SERVED, this.#meter.usageSoFar(isInputDue));
  }

  #billed(usage: ServedUsage): ProtoUsage {
    return toBilledUsage(this.#plan.executionOrigin === 'response_cache' ? NOTHING_SERVED : usage);
  }

  #settle(outcome: Outcome): Promise<Charge> {
    this.#out.stopWaiting();
    clearTimeout(this.#graceTimer);
    this.#plan.call.offAbort(this.#callAborted);
    return this.#work.settle(outcome);
  }
}
