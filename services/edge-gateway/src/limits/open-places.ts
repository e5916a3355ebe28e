import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';

const RETRY_AFTER_SECONDS = 5;

interface PlaceLimits {
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

/** Each view asks the database once a second. */
const VIEWS_PER_ACCOUNT_MAX = 10;

/** Bounds the live views that one account has open in this process. */
export class LiveViews {
  readonly #open = new Map<string, number>();

  /** Returns the function that closes the view. @throws AppError SERVICE_UNAVAILABLE when too many are open */
  open(accountId: string): () => void {
    const count = this.#open.get(accountId) ?? 0;
    if (count >= VIEWS_PER_ACCOUNT_MAX) {
      throw new AppError('SERVICE_UNAVAILABLE', `the account has ${VIEWS_PER_ACCOUNT_MAX} live views open; close one`);
    }
    this.#open.set(accountId, count + 1);
    return () => this.#close(accountId);
  }

  #close(accountId: string): void {
    const left = (this.#open.get(accountId) ?? 0) - 1;
    if (left > 0) this.#open.set(accountId, left);
    else this.#open.delete(accountId);
  }
}
