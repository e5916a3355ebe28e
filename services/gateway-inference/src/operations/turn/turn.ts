import type { ProviderId } from '@tollgate/api';
import { AppError, asAppError, isAppError } from '@tollgate/errors';
import type { Charge } from '../../clients/settlements.js';
import type { Context } from '../../context.js';
import { type ModelAnswer, RUNAWAY_ANSWER, type TokenUsage } from '../../domain/model-answer.js';
import { isWorthAnotherRoute, type ProviderFailure, turnError } from '../../domain/provider-failure.js';
import { type ServedUsage, sumOfUsage } from '../../domain/usage.js';
import type { ModelExchange, ModelListener } from '../../providers/contract/provider.js';
import { billedUsage, type Ending, settlementOf } from '../held-work/settlement.js';
import { keepAnswer } from './cached-turn.js';
import { CallMeter } from './call-meter.js';
import { CallTranscript } from './call-transcript.js';
import type { FrameQueue, QueueOwner } from './frame-queue.js';
import { ToolLoop } from './tool-loop.js';
import { TurnOutput } from './turn-output.js';
import type { TurnPlan } from './turn-plan.js';

/** An answer that is already on its way when the caller goes is read to its end, so that its true figure is settled. */
const ABANDONED_GRACE_MS = 50;
/** Between two reports of how far a long turn has got. */
const PROGRESS_EVERY_MS = 2_000;

/**
 * One turn: asks the routes of its plan one after the other until one has answered with its first byte, writes what
 * comes in the client's dialect, and settles before it lets the end out. Where the answer calls tools that the service
 * runs, the turn goes on with their results in a further model call; all of it is settled once.
 */
export class Turn implements ModelListener, QueueOwner {
  readonly #ctx: Context;
  readonly #plan: TurnPlan;
  readonly #out: TurnOutput;
  /** Absent when the request declares no tools, or its caller runs them. */
  readonly #loop: ToolLoop | undefined;
  /** What is told, when the answer is to be kept. */
  readonly #told: CallTranscript | undefined;
  #failures: ProviderFailure[] = [];
  #route = 0;
  #exchange: ModelExchange | undefined;
  /** Of the model call that is next or under way. */
  #meter: CallMeter;
  /** The provider has accepted a streamed call and works on it. */
  #hasBegun = false;
  #isAbandoned = false;
  #isOver = false;
  #graceTimer: NodeJS.Timeout | undefined;
  #reportedAt: number;

  constructor(ctx: Context, plan: TurnPlan) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#out = new TurnOutput(plan, this);
    this.#loop = plan.tools ? new ToolLoop(ctx, plan, plan.tools, this.#out) : undefined;
    this.#told = plan.cacheKey !== undefined && !plan.isReplay ? new CallTranscript(0) : undefined;
    this.#meter = new CallMeter(plan, ctx.logger);
    this.#reportedAt = plan.facts.startedAt;
  }

  get frames(): FrameQueue {
    return this.#out.frames;
  }

  begin(): void {
    const { signal } = this.#plan.call;
    this.#ctx.liveTurns.add(this);
    this.#out.startSoon();
    this.#tryRoute();
    if (this.#isOver) return;
    if (signal.aborted) this.handleEvent();
    else signal.addEventListener('abort', this, { once: true });
  }

  /** The caller is gone or its deadline has passed. */
  handleEvent(): void {
    const { reason } = this.#plan.call.signal;
    this.frames.fail(isAppError(reason) ? reason : new AppError('RELAY_TIMEOUT', 'the call was cancelled'));
    this.readerLeft();
  }

  readerIsSlow(): void {
    if (!this.#isAbandoned) this.#exchange?.pause();
  }

  readerCaughtUp(): void {
    this.#exchange?.resume();
  }

  readerLeft(): void {
    if (this.#isOver || this.#isAbandoned) return;
    this.#isAbandoned = true;
    this.#exchange?.resume();
    this.#graceTimer = setTimeout(() => this.cut(), ABANDONED_GRACE_MS);
  }

  /** Ends the turn with what has been delivered. */
  cut(): void {
    if (this.#isOver) return;
    const isInDoubt = this.#stop();
    const usage = this.#usageSoFar(this.#hasBegun);
    const ending = { usage, success: false, status: 499, errorCode: 'CANCELED', stopReason: 'canceled', isInDoubt };
    void this.#close(ending).catch(ignore);
  }

  /** Tells the ledger how far the turn has got, when it has not heard for a while. */
  report(nowMs: number): void {
    if (this.#isOver || nowMs - this.#reportedAt < PROGRESS_EVERY_MS) return;
    this.#reportedAt = nowMs;
    const { call, holdId } = this.#plan;
    const usage = billedUsage(this.#plan.model, this.#usageSoFar(this.#hasBegun));
    this.#ctx.billing.recordProgress({ holdId, usage }, call.detached(PROGRESS_EVERY_MS)).then(
      ({ open }) => open || this.#isOver || this.#holdEnded(),
      (err: unknown) => this.#ctx.logger.warn({ err, request_id: call.requestId }, 'progress was not recorded'),
    );
  }

  onOpen(): void {
    this.#hasBegun = true;
    this.#out.start();
  }

  onText(delta: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(delta);
    if (this.#told) this.#told.text += delta;
    if (this.#loop) this.#loop.text(delta);
    const { writer } = this.#out;
    if (writer) this.#out.push(writer.text(delta));
    this.#endRunaway();
  }

  onToolCall(index: number, id: string, name: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(name);
    this.#told?.open(index, id, name);
    const { writer } = this.#out;
    const at = this.#loop ? this.#loop.open(index, id, name) : index;
    if (writer) this.#out.push(writer.toolCall(at, id, name));
  }

  onToolArguments(index: number, delta: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(delta);
    this.#told?.write(index, delta);
    const { writer } = this.#out;
    const at = this.#loop ? this.#loop.write(index, delta) : index;
    if (writer) this.#out.push(writer.toolArguments(at, delta));
    this.#endRunaway();
  }

  onForward(data: string, text: string, isLast: boolean, name?: string): void {
    if (!this.#exchange) return;
    this.#meter.relay(text);
    this.#out.forward(name === undefined ? { data } : { data, event: name }, text, isLast);
    this.#endRunaway();
  }

  onUsage(usage: TokenUsage): void {
    this.#meter.report(usage);
  }

  onAnswer(answer: ModelAnswer): void {
    if (this.#isOver) return;
    const usage = this.#meter.usageOf(answer);
    if (!this.#loop) this.#finish(answer, usage);
    else if (this.#isAbandoned) this.#finish(answer, sumOfUsage(this.#loop.served, usage));
    else this.#afterCall(this.#loop, answer, usage);
  }

  onFailure(failure: ProviderFailure): void {
    if (this.#isOver) return;
    this.#failures.push(failure);
    const { call, routes } = this.#plan;
    const { provider, kind, status, cause } = failure;
    this.#ctx.logger.warn({ err: cause, provider, kind, status, request_id: call.requestId }, 'a provider call failed');
    const hasOutput = this.#meter.hasOutput || this.#out.hasForwarded;
    const isLastRoute = this.#route + 1 >= routes.length;
    if (hasOutput || isLastRoute || this.#isAbandoned || !isWorthAnotherRoute(failure)) {
      this.#fail(turnError(this.#failures, call.requestId));
    } else {
      this.#route++;
      this.#out.dropHeld();
      this.#tryRoute();
    }
  }

  #tryRoute(): void {
    const { routes, facts } = this.#plan;
    const route = routes[this.#route]!;
    this.#hasBegun = false;
    facts.provider = route.provider.id as ProviderId;
    const call = this.#plan.callOf(route, !this.#out.hasStarted);
    this.#out.isForwarding = call.forward !== undefined;
    try {
      this.#exchange = route.provider.start(call, this);
      if (this.frames.isFull && !this.#isAbandoned) this.#exchange.pause();
    } catch (error) {
      this.#cannotAsk(asAppError(error), route.provider.id);
    }
  }

  /** What this provider cannot be asked for, the next may do. */
  #cannotAsk(error: AppError, provider: ProviderId): void {
    const { routes, call } = this.#plan;
    if (error.code !== 'MODEL_CAPABILITY_UNSUPPORTED' || this.#route + 1 >= routes.length) {
      // A request that one provider took and failed at is not the client's mistake.
      this.#fail(this.#failures.length === 0 ? error : turnError(this.#failures, call.requestId));
      return;
    }
    this.#ctx.logger.info({ provider, reason: error.message, request_id: call.requestId }, 'a route was passed over');
    this.#route++;
    this.#tryRoute();
  }

  /** Runs the tools that the answer calls, as far as they are ours, and asks the model again. */
  #afterCall(loop: ToolLoop, answer: ModelAnswer, usage: ServedUsage): void {
    this.#exchange = undefined;
    this.#meter = new CallMeter(this.#plan, this.#ctx.logger);
    this.#hasBegun = false;
    this.#failures = [];
    loop.next(answer, usage).then(
      (whole) => {
        if (this.#isOver) return;
        if (whole) this.#finish(whole, loop.served);
        else this.#tryRoute();
      },
      (error: unknown) => (this.#isAbandoned ? this.cut() : this.#fail(asAppError(error))),
    );
  }

  #finish(answer: ModelAnswer, usage: ServedUsage): void {
    const { stopReason, responseId } = answer;
    const fault = this.#out.writer?.fault?.(answer);
    if (!fault && this.#told) keepAnswer(this.#ctx, this.#plan, answer, this.#told);
    const outcome = fault
      ? { success: false, status: fault.status, errorCode: fault.code }
      : { success: true, status: 200, errorCode: '' };
    this.#close({ usage, ...outcome, stopReason, responseId })
      .then((charge) => (fault ? this.#out.error(fault, { usage, charge }) : this.#out.end(answer, usage, charge)))
      .catch((error: unknown) => this.#out.error(error));
  }

  /** Ends the answer where it stands when the provider ignores the output bound. */
  #endRunaway(): void {
    if (!this.#meter.isRunaway) return;
    const fields = { provider: this.#plan.facts.provider, request_id: this.#plan.call.requestId };
    this.#ctx.logger.warn(fields, 'provider exceeded the output bound');
    this.#exchange?.abort();
    this.#exchange = undefined;
    this.onAnswer(RUNAWAY_ANSWER);
  }

  #holdEnded(): void {
    const isInDoubt = this.#stop();
    const error = new AppError('SERVICE_UNAVAILABLE', 'the reservation of funds for this request has ended');
    this.#fail(error, { isInputDue: this.#hasBegun, isInDoubt });
  }

  /** Ends what is under way. True when a provider may have served something that it has not told. */
  #stop(): boolean {
    this.#loop?.abort();
    return this.#exchange?.abort() === true && !this.#hasBegun;
  }

  /** A call that failed at the provider before any output is free, even if it had begun. */
  #fail(error: AppError, { isInputDue = false, isInDoubt = false } = {}): void {
    if (this.#isOver) return;
    const usage = this.#usageSoFar(isInputDue);
    const { status, code: errorCode } = error;
    const ending: Ending = { usage, success: false, status, errorCode, stopReason: 'error', isInDoubt };
    this.#close(ending).then(
      (charge) => this.#out.error(error, { usage, charge }),
      () => this.#out.error(error),
    );
  }

  #usageSoFar(isInputDue: boolean): ServedUsage {
    const ofCall = this.#meter.usageSoFar(isInputDue);
    return this.#loop ? sumOfUsage(this.#loop.served, ofCall) : ofCall;
  }

  #close(ending: Ending): Promise<Charge> {
    this.#isOver = true;
    this.#out.stopWaiting();
    clearTimeout(this.#graceTimer);
    this.#plan.call.signal.removeEventListener('abort', this);
    this.#ctx.liveTurns.delete(this);
    const settlement = settlementOf(this.#plan, ending, this.#ctx.clock.nowMs());
    return this.#ctx.settlements.settle(settlement, this.#plan.call, this.#settleWaitMs(ending.usage));
  }

  /** Reports a failure early when nothing was served: there is no charge to wait for. */
  #settleWaitMs(usage: ServedUsage): number {
    const { call, awaitsSettlement } = this.#plan;
    const waitMs = awaitsSettlement ? Math.max(0, call.remainingMs()) : this.#ctx.config.settleWaitMs;
    return usage.inputTokens === 0 && usage.outputTokens === 0 ? Math.min(waitMs, 1_000) : waitMs;
  }
}

/** The settlement goes on behind the turn's back; it has been logged. */
function ignore(): void {}
