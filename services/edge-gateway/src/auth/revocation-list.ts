import type { Queryable } from '@tollgate/postgres';
import type { Clock } from '@tollgate/runtime';
import { type RevocationRow, readRevocationsSince } from '../store/revocations.js';

/** Rows may become visible out of timestamp order, so each poll rereads this much of the past. */
const OVERLAP_MS = 60_000;

/** When the last successful poll is older than this, revocation within five seconds is no longer guaranteed. */
const STALE_MS = 5_000;

/**
 * This edge's copy of the revocations. Checked on every request; filled by polling and by revocations of this process.
 */
export class RevocationList {
  readonly #expiresMs = new Map<string, number>();
  readonly #clock: Clock;
  #readUpTo = new Date(0);
  #polledMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(subjectId: string): boolean {
    return this.#expiresMs.has(subjectId);
  }

  hasAny(subjectIds: readonly string[]): boolean {
    return this.#expiresMs.size > 0 && subjectIds.some((id) => this.#expiresMs.has(id));
  }

  add(subjectId: string, expiresAt: Date): void {
    this.#expiresMs.set(subjectId, expiresAt.getTime());
  }

  /** False while polls fail; the edge then reports itself as not ready. */
  isCurrent(): boolean {
    return this.#clock.nowMs() - this.#polledMs <= STALE_MS;
  }

  async poll(db: Queryable): Promise<void> {
    const startedMs = this.#clock.nowMs();
    const since = new Date(Math.max(0, this.#readUpTo.getTime() - OVERLAP_MS));
    const rows = await readRevocationsSince(db, since);
    for (const row of rows) this.#accept(row);
    this.#forgetExpired();
    this.#polledMs = startedMs;
  }

  #accept(row: RevocationRow): void {
    this.add(row.subject_id, row.expires_at);
    if (row.at > this.#readUpTo) this.#readUpTo = row.at;
  }

  #forgetExpired(): void {
    const nowMs = this.#clock.nowMs();
    for (const [id, expiresMs] of this.#expiresMs) if (expiresMs <= nowMs) this.#expiresMs.delete(id);
  }
}
