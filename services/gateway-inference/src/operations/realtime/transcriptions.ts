import { estimateTranscribedSeconds } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { type JsonObject, newOrderedId, within } from '@tollgate/runtime';
import { admit, refusal } from '@tollgate/spending';
import type { SessionState } from '../../domain/realtime/session-state.js';
import { readTranscriptUsage, type Transcriber } from '../../domain/realtime/transcription.js';
import type { ResponseOwner } from './response-work.js';
import {
  checkAdmission,
  type RealtimeRoute,
  releaseQuietly,
  type SessionContext,
  type SessionPlan,
} from './session-plan.js';
import { TranscriptionWork } from './transcription-work.js';

/** Speech that a hold covers at least. */
const HELD_MS_MIN = 60_000;
/** How long the vendor may take to write an item down. */
const WRITING_MS = 60_000;

export interface Transcribed {
  itemId: string;
  hasFailed: boolean;
  usage: unknown;
}

/**
 * The transcripts of a session's speech. While they are on, a hold covers all speech that the vendor may still commit, before
 * the vendor gets it. Each item is settled before its transcript leaves.
 */
export class Transcriptions {
  readonly #ctx: SessionContext;
  readonly #plan: SessionPlan;
  readonly #route: RealtimeRoute;
  readonly #owner: ResponseOwner;
  /** Covers the speech that is uncommitted. */
  #current: TranscriptionWork | undefined;
  /** The last call of `cover`: one at a time. */
  #covering: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #writing = new Map<string, { work: TranscriptionWork; transcriber: Transcriber; sinceMs: number }>();

  constructor(ctx: SessionContext, plan: SessionPlan, route: RealtimeRoute, owner: ResponseOwner) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#route = route;
    this.#owner = owner;
  }

  /** Checks that the caller may use the model and could pay for a minute. @throws AppError for a refusal */
  check({ model, name, hints }: Transcriber): Promise<void> {
    const { inputUnits, outputUnits } = estimateTranscribedSeconds(model, HELD_MS_MIN / 1_000, hints);
    const probe = { model: name, inputTokens: inputUnits, maxOutputTokens: outputUnits };
    return checkAdmission(this.#ctx, this.#plan, probe);
  }

  /** Holds funds for the speech that an event of the client adds or commits. @throws AppError when funds do not cover it */
  async coverEvent({ transcriber, wantsTranscripts, speech }: SessionState, { type }: JsonObject): Promise<void> {
    if (type !== 'input_audio_buffer.append' && type !== 'input_audio_buffer.commit') return;
    if (transcriber && wantsTranscripts && speech.uncommittedMs > 0) {
      await this.cover(transcriber, speech.uncommittedMs);
    }
  }

  /** Holds funds for this much speech, unless they are held. @throws AppError when funds do not cover it */
  cover(transcriber: Transcriber, uncommittedMs: number): Promise<void> {
    const covered = this.#covering.then(() => this.#cover(transcriber, uncommittedMs));
    this.#covering = covered.catch(() => undefined);
    return covered;
  }

  /** The vendor writes an item down. @throws AppError when no funds are held for it */
  async begin(transcriber: Transcriber, itemId: string, speechMs: number): Promise<void> {
    if (!this.#current || this.#current.hasStarted) {
      try {
        await this.cover(transcriber, speechMs);
      } catch (error) {
        // A hold that has started covers everything that had been sent by then.
        if (!this.#current) throw error;
      }
    }
    const work = this.#current!;
    work.begin(itemId);
    this.#writing.set(itemId, { work, transcriber, sinceMs: this.#ctx.clock.elapsed() });
  }

  /**
   * Settles an item that has been written down. `uncommittedMs` of further speech is about to be committed, which its hold covers,
   * too.
   *
   * @throws AppError when the ledger has not acknowledged in time
   */
  async end({ itemId, hasFailed, usage }: Transcribed, uncommittedMs: number): Promise<void> {
    const found = this.#writing.get(itemId);
    if (!found) {
      this.#ctx.logger.error({ request_id: this.#plan.call.requestId, item_id: itemId }, 'transcript without a hold');
      return;
    }
    this.#writing.delete(itemId);
    const { work, transcriber } = found;
    if (hasFailed) work.failed(itemId);
    else work.wrote(itemId, readTranscriptUsage(transcriber.model, usage));
    if (work.isWriting) return;
    if (this.#current === work && uncommittedMs > 0) {
      // Without funds, the next speech is refused.
      await this.cover(transcriber, uncommittedMs).catch(() => undefined);
    }
    if (this.#current === work) this.#current = undefined;
    await work.settle();
  }

  /** Frees what is held for speech that will not be written down. */
  stop(): void {
    if (!this.#current || this.#current.hasStarted) return;
    this.#drop(this.#current);
    this.#current = undefined;
  }

  /** Whether an item has not been written down in time. */
  isLate(elapsedMs: number): boolean {
    for (const { sinceMs } of this.#writing.values()) if (elapsedMs - sinceMs > WRITING_MS) return true;
    return false;
  }

  /**
   * Ends with the session: what is being written down may take `waitMs`, and is settled as possibly served then. `mayStart`:
   * the vendor may be writing down what it has not reported. Never rejects.
   */
  async close(mayStart: boolean, waitMs: number, error?: AppError): Promise<void> {
    this.#isClosed = true;
    await this.#covering;
    const works = new Set([...this.#writing.values()].map(({ work }) => work));
    await within(Promise.all([...works].map(({ over }) => over)), works.size > 0 ? waitMs : 0);
    const current = this.#current;
    this.#current = undefined;
    if (current && !current.hasStarted) {
      if (mayStart) works.add(current);
      else this.#drop(current);
    }
    await Promise.all([...works].map((work) => work.settle(error).catch(() => undefined)));
  }

  async #cover(transcriber: Transcriber, uncommittedMs: number): Promise<void> {
    const current = this.#current;
    if (current && !current.hasStarted && uncommittedMs <= current.heldMs) return;
    // Twice as much: speech without an end needs few holds.
    const heldMs = Math.max(HELD_MS_MIN, 2 * uncommittedMs);
    const { call, audience } = this.#plan;
    const { model, name, hints } = transcriber;
    const units = estimateTranscribedSeconds(model, Math.ceil(heldMs / 1_000), hints);
    const hold = { holdId: newOrderedId() };
    const terms = { hold, model: name, inputTokens: units.inputUnits, maxOutputTokens: units.outputUnits };
    const outcome = await admit(this.#ctx.ledger, terms, call);
    if (outcome.kind === 'refused') throw refusal(outcome, audience);
    if (outcome.kind === 'ended') throw new AppError('CONFLICT', 'the hold has ended');
    if (this.#isClosed) {
      releaseQuietly(this.#ctx, hold.holdId, call);
      throw new AppError('CONFLICT', 'the session has ended');
    }
    const held = { call, holdId: hold.holdId, transcriber, route: this.#route, heldMs };
    this.#current = new TranscriptionWork(this.#ctx, held, this.#owner);
    if (current && !current.hasStarted) this.#drop(current);
  }

  #drop(work: TranscriptionWork): void {
    work.withdraw();
    releaseQuietly(this.#ctx, work.holdId, this.#plan.call);
  }
}
