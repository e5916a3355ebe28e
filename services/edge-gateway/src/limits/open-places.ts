import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';

const RETRY_AFTER_SECONDS = 5;

export interface PlaceLimits {
  /** What takes the places, as errors name it: `realtime sessions`. */
  things: string;
  /** Advice for a caller that finds no free place. */
  advice: string;
  max: number;
  perProjectMax: number;
  perCustomerMax: number;
}

/** Bounds what stays open for long, such as streams and sockets: per customer, per project and in this process. */
export class OpenPlaces {
  readonly #limits: PlaceLimits;
  readonly #counts = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a place. Returns the function that frees it. @throws AppError SERVICE_UNAVAILABLE, RATE_LIMIT */
  take({ projectId, customerId }: Pick<Principal, 'projectId' | 'customerId'>): () => void {
    const { things, advice, max: placesMax, perProjectMax, perCustomerMax } = this.#limits;
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (this.#taken >= placesMax) {
      throw new AppError('SERVICE_UNAVAILABLE', `too many ${things} are open`, { retryAfterSeconds, retryable: true });
    }
    const places = [{ key: `p:${projectId}`, max: perProjectMax, who: 'the project' }];
    if (customerId !== '') places.push({ key: `c:${customerId}`, max: perCustomerMax, who: 'the customer' });
    for (const { key, max, who } of places) {
      if (this.#count(key) < max) continue;
      throw new AppError('RATE_LIMIT', `${who} has ${max} ${things} open: ${advice}`, { retryAfterSeconds });
    }
    this.#add(places, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(places, -1);
      isTaken = false;
    };
  }

  #add(places: readonly { key: string }[], more: 1 | -1): void {
    this.#taken += more;
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
