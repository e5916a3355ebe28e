import type { Hold } from '../../domain/hold.js';

const ENTRIES_MAX = 50_000;

/** Caches holds that this process admitted, so that their settlement need not read them. An optimization only. */
export class OpenHoldCache {
  /** In the order of admission, oldest first. */
  readonly #holds = new Map<string, Hold>();

  remember(hold: Hold): void {
    if (this.#holds.size >= ENTRIES_MAX) {
      for (const oldest of this.#holds.keys()) {
        this.#holds.delete(oldest);
        break;
      }
    }
    this.#holds.set(hold.holdId, hold);
  }

  /** Removes the hold and returns it. With `ownerAccountId`, only a hold of that account. */
  take(holdId: string, ownerAccountId?: string): Hold | undefined {
    const hold = this.#holds.get(holdId);
    if (!hold || (ownerAccountId !== undefined && hold.ownerAccountId !== ownerAccountId)) return undefined;
    this.#holds.delete(holdId);
    return hold;
  }
}
