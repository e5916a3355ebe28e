import { type CatalogModel, modalityFeeTokens, NO_TOKENS } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime/json-object';
import { ContextBound } from './context-bound.js';
import { toChild } from './json.js';
import { type ResponseUsage, readResponseUsage } from './response-usage.js';
import { reviewEvent } from './review-event.js';
import { SessionSettings } from './session-settings.js';
import { SpeechPosition } from './speech-position.js';
import type { FindTranscriber, Transcriber } from './transcription.js';
import type { Ask, VendorStep } from './vendor-step.js';

/** Responses that may wait while another is running. */
const WAITING_MAX = 16;

/**
 * The states of a session's response, each with those that may follow it. There is one response at a time.
 *
 * - `idle`: none is running.
 * - `admitting`: funds are being held; the vendor has not been asked.
 * - `asked`: the vendor has been asked, and has not created it.
 * - `created`: the vendor generates it.
 */
const nextPhases = {
  idle: ['admitting'],
  admitting: ['asked', 'idle'],
  asked: ['created', 'idle'],
  created: ['idle'],
} as const;

export type Phase = keyof typeof nextPhases;

interface Waiting {
  event: JsonObject;
  /** Asked for by the session, because the client wants an answer to each turn. */
  isTurn: boolean;
}

interface Running {
  event: JsonObject;
  eventId: string;
  responseId: string;
  maxOutputTokens: number;
}

/**
 * One session of the Realtime API, as far as money is concerned. The vendor never creates a response by itself: its turn
 * detection only commits what was said, and the session asks for the response once funds are held. Pure: ids are arguments.
 */
export class SessionState {
  readonly #model: CatalogModel;
  readonly #settings: SessionSettings;
  readonly #context: ContextBound;
  readonly #newId: () => string;
  readonly #waiting: Waiting[] = [];
  #phase: Phase = 'idle';
  #running: Running | undefined;
  readonly #speech = new SpeechPosition();
  #isEnding = false;

  /** `session` is the vendor's, as of `session.created`. */
  constructor(
    model: CatalogModel,
    modelName: string,
    session: JsonObject,
    newId: () => string,
    findTranscriber: FindTranscriber = () => undefined,
  ) {
    this.#model = model;
    this.#settings = new SessionSettings(model, modelName, session, findTranscriber);
    this.#context = new ContextBound(model.context_window, JSON.stringify([session.instructions, session.tools]));
    this.#newId = newId;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The response that the vendor generates, or was asked for. */
  get responseId(): string {
    return this.#running?.responseId ?? '';
  }

  /** The model that may write down the speech that is uncommitted. */
  get transcriber(): Transcriber | undefined {
    return this.#settings.transcriber;
  }

  /** Whether further speech is to be transcribed. */
  get wantsTranscripts(): boolean {
    return this.#settings.wantsTranscripts;
  }

  /** How much of the client's speech is uncommitted. */
  get speech(): Pick<SpeechPosition, 'uncommittedMs' | 'isCommitting'> {
    return this.#speech;
  }

  /** The model for transcripts that an event of the client turns on. @throws AppError for one without a price */
  readTranscriber(event: JsonObject): Transcriber | undefined {
    if (event.type !== 'session.update') return undefined;
    reviewEvent(event);
    return this.#settings.readTranscriber(event) ?? undefined;
  }

  /** Turns transcripts off. Returns the event for the vendor. */
  stopTranscripts(): JsonObject {
    return { type: 'session.update', event_id: this.#newId(), session: this.#settings.stopTranscripts() };
  }

  /** The event that makes the vendor's session safe, before the client may send anything. */
  get setup(): JsonObject {
    return { type: 'session.update', event_id: this.#newId(), session: this.#settings.setup };
  }

  /**
   * Takes an event of the client. Returns what is to be sent to the vendor; undefined for a response, which waits.
   *
   * @throws AppError for an event that is refused; the session continues
   */
  fromClient(event: JsonObject): JsonObject | undefined {
    reviewEvent(event);
    switch (event.type) {
      case 'response.create':
        if (this.#waiting.length >= WAITING_MAX) throw new AppError('CONFLICT', 'too many responses are waiting');
        this.#waiting.push({ event, isTurn: false });
        return undefined;
      case 'session.update':
        this.#context.add(toChild(event, 'session'));
        this.#context.takeFormat(this.#settings.readInputFormat(event));
        return this.#settings.takeUpdate({ event_id: this.#newId(), ...event });
      case 'input_audio_buffer.append':
        if (typeof event.audio === 'string') this.#speech.sent(this.#context.appendAudio(event.audio));
        return event;
      case 'input_audio_buffer.commit':
      case 'input_audio_buffer.clear':
        this.#speech.mark();
        this.#context.commit();
        return event;
      case 'conversation.item.create':
        this.#context.add(toChild(event, 'item'));
        return event;
      default:
        return event;
    }
  }

  /** Takes an event of the vendor. */
  fromVendor(event: JsonObject): VendorStep {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
      case 'input_audio_buffer.speech_stopped':
      case 'input_audio_buffer.cleared':
        this.#speech.fromVendor(event);
        break;
      case 'input_audio_buffer.committed':
        return this.#takeCommitted(event);
      case 'conversation.item.input_audio_transcription.completed':
        return { kind: 'transcribed', itemId: String(event.item_id ?? ''), hasFailed: false, usage: event.usage };
      case 'conversation.item.input_audio_transcription.failed':
        return { kind: 'transcribed', itemId: String(event.item_id ?? ''), hasFailed: true, usage: undefined };
      case 'session.updated':
        this.#settings.takeConfirmed(toChild(event, 'session'));
        break;
      case 'response.created':
        return this.#takeCreated(toChild(event, 'response'));
      case 'response.done':
        return this.#takeDone(toChild(event, 'response'));
      case 'error':
        return this.#takeError(toChild(event, 'error'));
    }
    return { kind: 'pass' };
  }

  /** The event as the client is to see it: with its own name of the model, and its own settings. */
  present(event: JsonObject): JsonObject {
    if (event.type !== 'session.created' && event.type !== 'session.updated') return event;
    return { ...event, session: this.#settings.present(toChild(event, 'session')) };
  }

  /** Begins the response that has waited longest, if none is running. */
  nextAsk(): Ask | undefined {
    if (this.#phase !== 'idle' || this.#isEnding) return undefined;
    const waiting = this.#waiting.shift();
    if (!waiting) return undefined;
    const { event } = waiting;
    this.#enter('admitting');
    const response = toChild(event, 'response');
    const maxOutputTokens = this.#settings.boundOutput(response.max_output_tokens);
    const eventId = typeof event.event_id === 'string' ? event.event_id : this.#newId();
    this.#running = { event, eventId, responseId: '', maxOutputTokens };
    const input = this.#context.tokens(response);
    const speech = this.#settings.maySpeak(response) ? maxOutputTokens : 0;
    const tokens = { input, cached: NO_TOKENS, output: { ...NO_TOKENS, audio: speech } };
    const inputTokens = input.text + input.audio + input.image + modalityFeeTokens(this.#model, tokens);
    return { inputTokens, maxOutputTokens };
  }

  /** Funds are held for so many tokens of output. Returns the event that asks the vendor. */
  ask(maxOutputTokens: number): JsonObject {
    this.#enter('asked');
    const running = this.#running!;
    running.maxOutputTokens = maxOutputTokens;
    this.#context.asked();
    const response = { ...toChild(running.event, 'response'), max_output_tokens: maxOutputTokens };
    return { ...running.event, event_id: running.eventId, response };
  }

  /** No funds are held, so the vendor is not asked. Returns the id of the client's event. */
  drop(): string {
    this.#enter('idle');
    const eventId = this.#running?.eventId ?? '';
    this.#running = undefined;
    return eventId;
  }

  /** The most that a response can cost which the vendor generates by itself. */
  boundStray(): Ask {
    const { context_window: window, max_output_tokens: maxOutputTokens } = this.#model;
    const tokens = {
      input: { ...NO_TOKENS, audio: window },
      cached: NO_TOKENS,
      output: { ...NO_TOKENS, audio: maxOutputTokens },
    };
    return { inputTokens: window + modalityFeeTokens(this.#model, tokens), maxOutputTokens };
  }

  /** No further response begins. */
  end(): void {
    this.#isEnding = true;
    this.#waiting.length = 0;
  }

  /** Speech has become an item. */
  #takeCommitted(event: JsonObject): VendorStep {
    const speechMs = this.#speech.uncommittedMs;
    const turn = this.#speech.fromVendor(event);
    if (turn) this.#takeTurn(turn.endMs);
    return this.transcriber
      ? { kind: 'transcribing', itemId: String(event.item_id ?? ''), speechMs }
      : { kind: 'pass' };
  }

  /** A turn is complete: the session asks for the answer, as the vendor would. */
  #takeTurn(endMs: number | undefined): void {
    this.#context.commit(endMs);
    // One answer is enough for all that is said until it begins.
    const isWaiting = this.#waiting.some(({ isTurn }) => isTurn);
    if (this.#settings.answersTurns && !isWaiting && !this.#isEnding && this.#waiting.length < WAITING_MAX) {
      this.#waiting.push({ event: { type: 'response.create' }, isTurn: true });
    }
  }

  #takeCreated({ id }: JsonObject): VendorStep {
    const responseId = String(id ?? '');
    if (this.#phase !== 'asked' || !this.#running) return { kind: 'stray', responseId };
    this.#enter('created');
    this.#running.responseId = responseId;
    return { kind: 'created' };
  }

  #takeDone(response: JsonObject): VendorStep {
    const responseId = String(response.id ?? '');
    const running = this.#running;
    if (!running || this.#phase !== 'created' || running.responseId !== responseId) return { kind: 'pass' };
    this.#enter('idle');
    this.#running = undefined;
    const usage = readResponseUsage(response.usage);
    this.#measure(running, usage);
    return { kind: 'ended', end: { responseId, status: String(response.status ?? ''), usage } };
  }

  /** A response that reads something else than the conversation says nothing about the conversation's size. */
  #measure({ event, maxOutputTokens }: Running, usage: ResponseUsage | undefined): void {
    const { input, conversation, instructions, tools } = toChild(event, 'response');
    if (conversation === 'none') return;
    if (input === undefined && instructions === undefined && tools === undefined) {
      this.#context.ended(usage, maxOutputTokens);
    } else {
      this.#context.addOutput(maxOutputTokens);
    }
  }

  #takeError(error: JsonObject): VendorStep {
    if (error.code === 'input_audio_buffer_commit_empty') this.#speech.reject();
    this.#settings.takeRefused(error.event_id);
    if (this.#phase !== 'asked' || error.event_id !== this.#running?.eventId) return { kind: 'pass' };
    this.#enter('idle');
    this.#running = undefined;
    return { kind: 'rejected' };
  }

  #enter(phase: Phase): void {
    if (!(nextPhases[this.#phase] as readonly Phase[]).includes(phase)) {
      throw new Error(`illegal transition of a realtime response: ${this.#phase} to ${phase}`);
    }
    this.#phase = phase;
  }
}
