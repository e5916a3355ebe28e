import { elapsed } from '@tollgate/runtime';
import type { Hold } from '../../domain/hold.js';

const ENTRIES_MAX = 50_000;
/** Most holds end within minutes. A hold that ended on another replica is never asked for here. */
const AGE_MAX_MS = 3_600_000;

interface Entry {
  hold: Hold;
  rememberedMs: number;
}

/** Caches holds that this process admitted, so that their settlement need not read them. An optimization only. */
export class OpenHoldCache {
  /** In the order in which they were remembered, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #elapsed: () => number;

  constructor(monotonic: () => number = elapsed) {
    this.#elapsed = monotonic;
  }

  get size(): number {
    return this.#entries.size;
  }

  remember(hold: Hold): void {
    const rememberedMs = this.#elapsed();
    // An extended hold moves to the end.
    this.#entries.delete(hold.holdId);
    for (const [id, oldest] of this.#entries) {
      if (this.#entries.size < ENTRIES_MAX && rememberedMs - oldest.rememberedMs < AGE_MAX_MS) break;
      this.#entries.delete(id);
    }
    this.#entries.set(hold.holdId, { hold, rememberedMs });
  }

  /** Removes the hold and returns it. With `ownerAccountId`, only a hold of that account. */
  take(holdId: string, ownerAccountId?: string): Hold | undefined {
    const hold = this.#entries.get(holdId)?.hold;
    if (!hold || (ownerAccountId !== undefined && hold.ownerAccountId !== ownerAccountId)) return undefined;
    this.#entries.delete(holdId);
    return hold;
  }
}
