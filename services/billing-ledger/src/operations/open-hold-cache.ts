import { LRUCache } from 'lru-cache';
import type { Hold } from '../domain/hold.js';

const ENTRIES_MAX = 50_000;

/** What this process has admitted and not yet settled, so that a settlement need not read it back. Only a shortcut. */
export class OpenHoldCache {
  readonly #holds = new LRUCache<string, Hold>({ max: ENTRIES_MAX });

  remember(hold: Hold): void {
    this.#holds.set(hold.requestId, hold);
  }

  take(requestId: string): Hold | undefined {
    const hold = this.#holds.get(requestId);
    if (hold) this.#holds.delete(requestId);
    return hold;
  }
}
