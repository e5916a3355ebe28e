import type { ProviderId } from '@tollgate/api';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, asAppError, errorForAudience, isAppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { StreamEvent, StreamWriter } from '../dialects/dialect.js';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import { isWorthAnotherRoute, type ProviderFailure, turnError } from '../domain/provider-failure.js';
import { type ServedUsage, toProtoUsage } from '../domain/usage.js';
import type { ModelExchange, ModelListener } from '../providers/provider.js';
import { FrameQueue, type QueueOwner } from './frame-queue.js';
import { usageOfAnswer, usageSoFar } from './served-usage.js';
import { type Ending, settlementOf } from './settlement.js';
import type { TurnPlan } from './turn-plan.js';

/** A stream begins at the latest this long after dispatch, whether or not the provider has answered. */
const START_AFTER_MS = 1_000;
/** An answer that is already on its way when the caller goes is read to its end, so that its true figure is settled. */
const ABANDONED_GRACE_MS = 50;
/** Between two reports of how far a long turn has got. */
const PROGRESS_EVERY_MS = 2_000;

/**
 * One turn: asks the routes of its plan one after the other until one has answered with its first byte, writes what
 * comes in the client's dialect, and settles before it lets the end out.
 */
export class Turn implements ModelListener, QueueOwner {
  readonly #ctx: Context;
  readonly #plan: TurnPlan;
  readonly #writer: StreamWriter | undefined;
  readonly frames: FrameQueue;
  readonly #failures: ProviderFailure[] = [];
  #route = 0;
  #exchange: ModelExchange | undefined;
  #isForwarding = false;
  /** Events of a forwarded answer's end. */
  #held: StreamEvent[] = [];
  /** Everything that was told of the output, for estimates. */
  #output = '';
  #figure: TokenUsage | undefined;
  /** The provider has accepted a streamed call and works on it. */
  #hasBegun = false;
  #hasStarted = false;
  #isAbandoned = false;
  #isOver = false;
  #startTimer: NodeJS.Timeout | undefined;
  #graceTimer: NodeJS.Timeout | undefined;
  #reportedAt: number;

  constructor(ctx: Context, plan: TurnPlan) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.frames = new FrameQueue(this);
    this.#writer = plan.isStream ? plan.dialect.openStream(plan.facts, plan.body) : undefined;
    this.#reportedAt = plan.facts.startedAt;
  }

  begin(): void {
    const { signal } = this.#plan.call;
    this.#ctx.liveTurns.add(this);
    if (this.#writer) this.#startTimer = setTimeout(() => this.#start(), START_AFTER_MS);
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
    const isInDoubt = this.#exchange?.abort() === true && !this.#hasBegun;
    const usage = usageSoFar(this.#plan, this.#figure, this.#output, this.#hasBegun);
    const ending = { usage, success: false, status: 499, errorCode: 'CANCELED', stopReason: 'canceled', isInDoubt };
    void this.#close(ending).catch(ignore);
  }

  /** Tells the ledger how far the turn has got, when it has not heard for a while. */
  report(nowMs: number): void {
    if (this.#isOver || nowMs - this.#reportedAt < PROGRESS_EVERY_MS) return;
    this.#reportedAt = nowMs;
    const { call, holdId } = this.#plan;
    const usage = toProtoUsage(usageSoFar(this.#plan, this.#figure, this.#output, this.#hasBegun));
    this.#ctx.billing.recordProgress({ requestId: holdId, usage }, call.detached(PROGRESS_EVERY_MS)).then(
      ({ open }) => open || this.#isOver || this.#holdEnded(),
      (err: unknown) => this.#ctx.logger.warn({ err, request_id: call.requestId }, 'progress was not recorded'),
    );
  }

  onOpen(): void {
    this.#hasBegun = true;
    this.#start();
  }

  onText(delta: string): void {
    this.#output += delta;
    if (this.#writer) this.#push(this.#writer.text(delta));
  }

  onToolCall(index: number, id: string, name: string): void {
    this.#output += name;
    if (this.#writer) this.#push(this.#writer.toolCall(index, id, name));
  }

  onToolArguments(index: number, delta: string): void {
    this.#output += delta;
    if (this.#writer) this.#push(this.#writer.toolArguments(index, delta));
  }

  onForward(data: string, text: string, isLast: boolean): void {
    this.#output += text;
    if (isLast) this.#held.push({ data });
    else this.#push({ data });
  }

  onUsage(usage: TokenUsage): void {
    this.#figure = usage;
  }

  onAnswer(answer: ModelAnswer): void {
    if (this.#isOver) return;
    const output = this.#plan.isStream ? this.#output : outputOf(answer);
    const usage = usageOfAnswer(this.#plan, answer.usage ?? this.#figure, output);
    const ending: Ending = {
      usage,
      success: true,
      status: 200,
      errorCode: '',
      stopReason: answer.stopReason,
      responseId: answer.responseId,
    };
    this.#close(ending).then(
      () => this.#writeEnd(answer, usage),
      (error: unknown) => this.#writeError(error),
    );
  }

  onFailure(failure: ProviderFailure): void {
    if (this.#isOver) return;
    this.#failures.push(failure);
    const { call, routes } = this.#plan;
    const { provider, kind, status, cause } = failure;
    this.#ctx.logger.warn({ err: cause, provider, kind, status, request_id: call.requestId }, 'a provider call failed');
    const hasOutput = this.#output !== '' || this.#figure !== undefined;
    const isLastRoute = this.#route + 1 >= routes.length;
    if (hasOutput || isLastRoute || this.#isAbandoned || !isWorthAnotherRoute(failure)) {
      this.#fail(turnError(this.#failures, call.requestId));
    } else {
      this.#route++;
      this.#held = [];
      this.#tryRoute();
    }
  }

  #tryRoute(): void {
    const { routes, facts } = this.#plan;
    const route = routes[this.#route]!;
    this.#hasBegun = false;
    facts.provider = route.provider.id as ProviderId;
    const call = this.#plan.callOf(route);
    this.#isForwarding = call.forward !== undefined;
    try {
      this.#exchange = route.provider.start(call, this);
    } catch (error) {
      this.#fail(asAppError(error));
    }
  }

  /** A forwarded answer brings its own beginning. */
  #start(): void {
    if (this.#hasStarted || this.#isForwarding || !this.#writer) return;
    const event = this.#writer.start();
    if (event) this.#push(event);
  }

  #push(event: StreamEvent): void {
    if (!this.#hasStarted) this.#begun();
    this.frames.push(event);
  }

  /** From here on a failure is an event of the stream. */
  #begun(): void {
    this.#hasStarted = true;
    clearTimeout(this.#startTimer);
    this.frames.setHead(this.#plan.model.model_id, this.#plan.facts.provider);
  }

  #holdEnded(): void {
    const isInDoubt = this.#exchange?.abort() === true && !this.#hasBegun;
    const error = new AppError('SERVICE_UNAVAILABLE', 'the reservation of funds for this request has ended');
    this.#fail(error, { isInputDue: this.#hasBegun, isInDoubt });
  }

  /** A call that failed at the provider before any output is free, even if it had begun. */
  #fail(error: AppError, { isInputDue = false, isInDoubt = false } = {}): void {
    if (this.#isOver) return;
    const usage = usageSoFar(this.#plan, this.#figure, this.#output, isInputDue);
    const { status, code: errorCode } = error;
    const ending: Ending = { usage, success: false, status, errorCode, stopReason: 'error', isInDoubt };
    this.#close(ending).then(
      () => this.#writeError(error),
      () => this.#writeError(error),
    );
  }

  #close(ending: Ending): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#startTimer);
    clearTimeout(this.#graceTimer);
    this.#plan.call.signal.removeEventListener('abort', this);
    this.#ctx.liveTurns.delete(this);
    const settlement = settlementOf(this.#plan, ending, this.#ctx.clock.nowMs());
    return this.#ctx.settlements.settle(settlement, this.#plan.call, this.#settleWaitMs(ending.usage));
  }

  /** Nothing was served: the caller need not wait long to hear of its failure. */
  #settleWaitMs(usage: ServedUsage): number {
    const { settleWaitMs } = this.#ctx.config;
    return usage.inputTokens === 0 && usage.outputTokens === 0 ? Math.min(settleWaitMs, 1_000) : settleWaitMs;
  }

  #writeEnd(answer: ModelAnswer, usage: ServedUsage): void {
    const { facts, dialect } = this.#plan;
    if (this.#writer) {
      this.#start();
      for (const event of this.#writer.end(answer, usage, this.#held)) this.#push(event);
    } else {
      this.#begun();
      const body = answer.forwarded ?? Buffer.from(dialect.writeAnswer(facts, answer, usage));
      this.frames.pushBytes(body);
    }
    this.frames.end(toProtoUsage(usage));
  }

  #writeError(thrown: unknown): void {
    const isCustomer = this.#plan.call.principal?.kind === PrincipalKind.CUSTOMER;
    const error = errorForAudience(asAppError(thrown), isCustomer ? 'customer' : 'project');
    if (!this.#writer || !this.#hasStarted) {
      this.frames.fail(error);
    } else {
      this.frames.push(this.#writer.error(error));
      this.frames.end();
    }
  }
}

function outputOf(answer: ModelAnswer): string {
  let output = answer.text;
  for (const call of answer.toolCalls) output += call.name + call.arguments;
  return output;
}

/** The settlement goes on behind the turn's back; it has been logged. */
function ignore(): void {}
