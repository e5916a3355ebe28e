import type { Queryable } from '@tollgate/postgres';
import { updateLastUsed } from '../store/api-keys.js';

/** When keys were last used: collected in memory, written in batches, because it is worth no write per request. */
export class KeyUsage {
  #uses = new Map<string, number>();

  touch(keyId: string, atMs: number): void {
    this.#uses.set(keyId, atMs);
  }

  async flush(db: Queryable): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await updateLastUsed(db, uses);
    } catch (error) {
      for (const [id, at] of uses) if (!this.#uses.has(id)) this.#uses.set(id, at);
      throw error;
    }
  }
}
