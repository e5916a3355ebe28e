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
  /** Until when each revocation is kept, by the monotonic clock: after a step back, tokens that had seemed expired are valid again. */
  readonly #keptUntilMs = new Map<string, number>();
  readonly #clock: Clock;
  #readUpTo = new Date(0);
  #polledMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(subjectId: string): boolean {
    return this.#keptUntilMs.has(subjectId);
  }

  hasAny(subjectIds: readonly string[]): boolean {
    return this.#keptUntilMs.size > 0 && subjectIds.some((id) => this.#keptUntilMs.has(id));
  }

  /** Keeps a revocation for `lifetimeMs`, within which all credentials of its subject expire. */
  add(subjectId: string, lifetimeMs: number): void {
    this.#keptUntilMs.set(subjectId, this.#clock.elapsed() + lifetimeMs);
  }

  /** False while polls fail; the edge then reports itself as not ready. */
  isCurrent(): boolean {
    return this.#clock.elapsed() - this.#polledMs <= STALE_MS;
  }

  async poll(db: Queryable): Promise<void> {
    const startedMs = this.#clock.elapsed();
    const since = new Date(Math.max(0, this.#readUpTo.getTime() - OVERLAP_MS));
    const rows = await readRevocationsSince(db, since);
    for (const row of rows) this.#accept(row);
    this.#forgetExpired();
    this.#polledMs = startedMs;
  }

  #accept(row: RevocationRow): void {
    if (!this.has(row.subject_id)) this.add(row.subject_id, row.expires_at.getTime() - row.at.getTime());
    if (row.at > this.#readUpTo) this.#readUpTo = row.at;
  }

  #forgetExpired(): void {
    const elapsedMs = this.#clock.elapsed();
    for (const [id, untilMs] of this.#keptUntilMs) if (untilMs <= elapsedMs) this.#keptUntilMs.delete(id);
  }
}
