import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';

const STREAMS_MAX = 1_000;
const PER_PROJECT_MAX = 400;
/** Twice as many as a customer may have unfinished responses. */
const PER_CUSTOMER_MAX = 40;
const RETRY_AFTER_SECONDS = 5;

/** Bounds the streams of background responses that this process has open. */
export class BackgroundStreams {
  readonly #counts = new Map<string, number>();
  #open = 0;

  /** Takes a place. Returns the function that frees it. @throws AppError SERVICE_UNAVAILABLE, RATE_LIMIT */
  take({ projectId, customerId }: Pick<Principal, 'projectId' | 'customerId'>): () => void {
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (this.#open >= STREAMS_MAX) {
      throw new AppError('SERVICE_UNAVAILABLE', 'too many streams of background responses are open', {
        retryAfterSeconds,
        retryable: true,
      });
    }
    const places = [{ key: `p:${projectId}`, max: PER_PROJECT_MAX, who: 'the project' }];
    if (customerId !== '') places.push({ key: `c:${customerId}`, max: PER_CUSTOMER_MAX, who: 'the customer' });
    for (const { key, max, who } of places) {
      if (this.#count(key) < max) continue;
      const message = `${who} has ${max} streams of background responses open: close one, or poll`;
      throw new AppError('RATE_LIMIT', message, { retryAfterSeconds });
    }
    this.#add(places, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(places, -1);
      isTaken = false;
    };
  }

  #add(places: readonly { key: string }[], more: 1 | -1): void {
    this.#open += more;
    for (const { key } of places) {
      const count = this.#count(key) + more;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}
