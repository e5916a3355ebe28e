import type { Hold } from '../../domain/hold.js';

const ENTRIES_MAX = 50_000;

/** What this process has admitted and not yet settled, so that a settlement need not read it back. Only a shortcut. */
export class OpenHoldCache {
  /** In the order of admission: the first is the oldest. */
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

  take(holdId: string): Hold | undefined {
    const hold = this.#holds.get(holdId);
    if (hold) this.#holds.delete(holdId);
    return hold;
  }
}
