import { type Refusal, toRefusedEntry } from '../domain/reports/request-entry.js';
import { type RequestLogContext, recordRequests } from '../operations/record-requests.js';

/** Refusals in memory. Beyond it, between two flushes, they are counted and not recorded. */
const WAITING_MAX = 5_000;

/** Refused requests, collected in memory and stored in batches: a refusal is worth no write of its own. */
export class RefusalLog {
  #waiting: Refusal[] = [];
  /** Refusals that were not recorded since the last flush. */
  #dropped = 0;

  add(refusal: Refusal): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(refusal);
    else this.#dropped += 1;
  }

  /** Stores what waits. Returns how many refusals were dropped since the last flush. */
  async flush(ctx: RequestLogContext): Promise<number> {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (this.#waiting.length === 0) return dropped;
    const refusals = this.#waiting;
    this.#waiting = [];
    try {
      await recordRequests(ctx, { settled: refusals.map(toRefusedEntry) });
    } catch (error) {
      this.#waiting = [...refusals, ...this.#waiting].slice(0, WAITING_MAX);
      throw error;
    }
    return dropped;
  }
}
