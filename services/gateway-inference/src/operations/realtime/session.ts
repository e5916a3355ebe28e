import { AppError, asAppError } from '@tollgate/errors';
import { type JsonObject, newOrderedId, within } from '@tollgate/runtime';
import { admit, refusal, release } from '@tollgate/spending';
import { parseJson } from '../../domain/realtime/json.js';
import type { OpenSession } from '../../domain/realtime/open-session.js';
import type { SessionState } from '../../domain/realtime/session-state.js';
import type { Ask, VendorStep } from '../../domain/realtime/vendor-step.js';
import type { RealtimeConnection } from '../../providers/contract/realtime-provider.js';
import { CLOSE, type Close, isDelta, toErrorEvent, toExpiry, withoutAccount } from './client-events.js';
import { Outbox } from './outbox.js';
import { type ResponseOwner, ResponseWork } from './response-work.js';
import type { RealtimeRoute, SessionContext, SessionPlan } from './session-plan.js';
import { recordStray } from './stray-response.js';
import { Transcriptions } from './transcriptions.js';

export interface OpenedSession {
  plan: SessionPlan;
  route: RealtimeRoute;
  connection: RealtimeConnection;
  state: SessionState;
}

/** How long a response that is canceled may take to report its usage. */
const CANCEL_MS = 5_000;
/** How long a running response may take when the session is to end. */
const DRAIN_MS = 15_000;
const TICK_MS = 1_000;

/**
 * Carries events between a client and a vendor's session. Before the vendor is asked for a response, funds are held for it;
 * before the end of a response leaves, it is settled.
 */
export class RealtimeSession implements ResponseOwner, OpenSession {
  readonly #ctx: SessionContext;
  readonly #plan: SessionPlan;
  readonly #route: RealtimeRoute;
  readonly #connection: RealtimeConnection;
  readonly #state: SessionState;
  readonly #outbox = new Outbox();
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #transcriptions: Transcriptions;
  #work: ResponseWork | undefined;
  /** Set while funds are being held: events of the client wait, so that the hold covers what the model reads. */
  #asking: Promise<void> | undefined;
  #clientAt: number;
  #vendorAt: number;
  #isOver = false;
  #hasClientLeft = false;

  constructor(ctx: SessionContext, { plan, route, connection, state }: OpenedSession) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#route = route;
    this.#connection = connection;
    this.#state = state;
    this.#startedAt = ctx.clock.elapsed();
    this.#clientAt = this.#startedAt;
    this.#vendorAt = this.#startedAt;
    this.#transcriptions = new Transcriptions(ctx, plan, route, this);
    this.#timer = setInterval(() => this.#checkTimes(), TICK_MS);
    this.#timer.unref();
    ctx.realtimeSessions.add(this);
  }

  get items(): Outbox['items'] {
    return this.#outbox.items;
  }

  /** Reads the vendor's events until its connection ends. Never rejects. */
  async readVendor(): Promise<void> {
    try {
      for await (const text of this.#connection.events) await this.#takeVendor(text);
      await this.#vendorLeft();
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** Takes one event of the client. Resolves when the vendor has taken it. */
  async takeClient(text: string): Promise<void> {
    this.#clientAt = this.#ctx.clock.elapsed();
    await this.#asking;
    if (this.#isOver) return;
    const event = parseJson(text);
    if (!event) return this.#refuseEvent(new AppError('INVALID_INPUT', 'an event must be a JSON object'), {});
    try {
      const transcriber = this.#state.readTranscriber(event);
      if (transcriber) await this.#transcriptions.check(transcriber);
      const sent = this.#state.fromClient(event);
      await this.#coverSpeech(event);
      if (sent) await this.#connection.send(sent === event ? text : JSON.stringify(sent));
    } catch (error) {
      return this.#refuseEvent(asAppError(error), event);
    }
    await this.#begin();
  }

  drain(): void {
    void this.#drain({ code: CLOSE.goingAway, reason: 'the service is stopping' });
  }

  /** The client has left: the running response is canceled, and what it served is settled. */
  async leave(): Promise<void> {
    this.#hasClientLeft = true;
    this.#outbox.leave();
    await this.#finish();
  }

  cut(): void {
    void this.#finish({ code: CLOSE.goingAway, reason: 'the service is stopping' });
  }

  holdExpired(error: AppError): void {
    void this.#fail(error);
  }

  async #takeVendor(text: string): Promise<void> {
    this.#vendorAt = this.#ctx.clock.elapsed();
    if (isDelta(text)) {
      this.#work?.hasOutput();
      return this.#outbox.sendText(text);
    }
    const event = parseJson(text);
    if (!event) return;
    const step = this.#state.fromVendor(event);
    await this.#account(step);
    const shown = this.#state.present(withoutAccount(this.#route.provider.id, event, this.#plan.audience));
    await this.#outbox.sendText(shown === event ? text : JSON.stringify(shown));
    await this.#begin();
  }

  /** Does what the event means for money, before the client sees the event. */
  async #account(step: VendorStep): Promise<void> {
    const work = this.#work;
    switch (step.kind) {
      case 'created':
        work?.created();
        // Canceled before it was created.
        if (this.#isOver) await this.#cancel();
        return;
      case 'ended':
        this.#work = undefined;
        await work?.end(step.end, this.#hasClientLeft);
        return;
      case 'rejected':
        this.#work = undefined;
        await work?.reject();
        return;
      case 'stray':
        await this.#cancel(step.responseId);
        throw await recordStray(this.#ctx, this.#plan, this.#route, this.#state, step.responseId);
      case 'transcribing':
        return await this.#transcriptions.begin(this.#state.transcriber!, step.itemId, step.speechMs);
      case 'transcribed':
        return await this.#transcriptions.end(
          step,
          this.#state.speech.isCommitting ? this.#state.speech.uncommittedMs : 0,
        );
      case 'pass':
        if (!this.#state.transcriber) this.#transcriptions.stop();
    }
  }

  /** Holds funds for the transcript of speech before the vendor gets it. Without funds, the session continues without one. */
  async #coverSpeech(event: JsonObject): Promise<void> {
    try {
      await this.#transcriptions.coverEvent(this.#state, event);
    } catch (error) {
      await this.#refuseEvent(asAppError(error), event);
      await this.#connection.send(JSON.stringify(this.#state.stopTranscripts()));
    }
  }

  /** Asks the vendor for the response that has waited longest, if none is running. */
  async #begin(): Promise<void> {
    for (;;) {
      if (this.#isOver) return;
      const ask = this.#state.nextAsk();
      if (!ask) return;
      this.#asking = this.#ask(ask);
      await this.#asking;
      this.#asking = undefined;
    }
  }

  /** Holds funds and asks the vendor. Never rejects. */
  async #ask({ inputTokens, maxOutputTokens }: Ask): Promise<void> {
    const { call, modelName, audience, model } = this.#plan;
    const hold = { holdId: newOrderedId() };
    const terms = { hold, model: modelName, inputTokens, maxOutputTokens };
    try {
      const outcome = await admit(this.#ctx.ledger, terms, call);
      if (outcome.kind === 'refused') return await this.#refuse(refusal(outcome, audience));
      if (outcome.kind === 'ended') return await this.#refuse(new AppError('CONFLICT', 'the hold has ended'));
      if (this.#isOver) {
        this.#state.drop();
        return await release(this.#ctx.ledger, hold, 'CANCELED', call);
      }
      const held = outcome.admission.maxOutputTokens || maxOutputTokens;
      this.#work = new ResponseWork(this.#ctx, { call, holdId: hold.holdId, model, route: this.#route }, this);
      const event = JSON.stringify(this.#state.ask(Math.min(held, maxOutputTokens)));
      this.#vendorAt = this.#ctx.clock.elapsed();
      this.#work.asked();
      await this.#connection.send(event);
    } catch (error) {
      await this.#refuse(asAppError(error));
    }
  }

  /** Funds are not held: the client learns why, nothing more is sent to the vendor, and the session continues. */
  async #refuse(error: AppError): Promise<void> {
    if (this.#state.phase !== 'admitting') return void this.#fail(error);
    await this.#deliverError(error, this.#state.drop());
    // The customer is blocked, or has lost the model. Not awaited: the end of the session waits for this.
    if (error.code === 'FORBIDDEN') void this.#finish({ code: CLOSE.refused, reason: error.code });
  }

  async #refuseEvent(error: AppError, { event_id: id }: JsonObject): Promise<void> {
    await this.#deliverError(error, typeof id === 'string' ? id : '');
  }

  async #vendorLeft(): Promise<void> {
    if (this.#isOver) return;
    const work = this.#work;
    const error = new AppError('PROVIDER_ERROR', 'the provider closed the session', { causeKind: 'transport' });
    if (work) {
      await work.lose(error);
      await this.#deliverError(error, '');
    }
    await this.#transcriptions.close(this.#state.speech.isCommitting, 0, error);
    await this.#finish({ code: work ? CLOSE.failed : CLOSE.goingAway, reason: 'the provider closed the session' });
  }

  async #fail(thrown: unknown): Promise<void> {
    const error = asAppError(thrown);
    if (this.#isOver) return;
    const fields = { err: thrown, request_id: this.#plan.call.requestId, error_code: error.code };
    this.#ctx.logger.warn(fields, 'realtime session failed');
    await this.#deliverError(error, '');
    await this.#finish({ code: CLOSE.failed, reason: error.code });
  }

  async #drain(close: Close): Promise<void> {
    this.#state.end();
    const work = this.#work;
    if (work) await within(work.over, DRAIN_MS);
    await this.#finish(close);
  }

  /** Ends the session: cancels the running response, and settles it with what it reports, or as possibly served. */
  async #finish(close?: Close): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#state.end();
    await this.#asking?.catch(() => undefined);
    await Promise.all([this.#endResponse(), this.#transcriptions.close(this.#state.speech.isCommitting, CANCEL_MS)]);
    this.#connection.close();
    this.#ctx.realtimeSessions.delete(this);
    if (close) await this.#outbox.push({ item: { case: 'closed', value: close } }, 0);
    this.#outbox.end();
  }

  async #endResponse(): Promise<void> {
    const work = this.#work;
    if (!work?.isOpen) return;
    void this.#cancel();
    await within(work.over, CANCEL_MS);
    await work.lose();
  }

  #cancel(responseId = this.#state.responseId): Promise<void> {
    const event = { type: 'response.cancel', ...(responseId !== '' && { response_id: responseId }) };
    return this.#connection.send(JSON.stringify(event));
  }

  #checkTimes(): void {
    const { idleMs, sessionMs } = this.#ctx.config.realtime;
    const elapsedMs = this.#ctx.clock.elapsed();
    const isLate = this.#work !== undefined && elapsedMs - this.#vendorAt > this.#ctx.config.upstream.idleTimeoutMs;
    if (isLate || this.#transcriptions.isLate(elapsedMs)) {
      void this.#fail(new AppError('PROVIDER_TIMEOUT', 'the provider did not answer in time'));
    } else if (elapsedMs - this.#startedAt > sessionMs) {
      void this.#expire('the session has reached its longest time');
    } else if (!this.#work && elapsedMs - this.#clientAt > idleMs) {
      void this.#expire('nothing was sent for too long');
    }
  }

  async #expire(reason: string): Promise<void> {
    if (this.#isOver) return;
    await this.#outbox.sendEvent(toExpiry(reason));
    await this.#finish({ code: CLOSE.refused, reason });
  }

  #deliverError(error: AppError, eventId: string): Promise<void> {
    return this.#outbox.sendEvent(toErrorEvent(error, eventId, this.#plan.audience));
  }
}
