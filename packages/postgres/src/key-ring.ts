/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A part of the ring of keys, as one claim has found it. */
export interface Visit {
  /** The keys with work that the claim has locked. */
  keys: string[];
  /** Whether another process claims work under a key of this part. */
  hasSkipped: boolean;
  /** Where the next visit continues: `FIRST_ID` at the end of the ring. */
  next: string;
  /** Until the first of the other keys is due, if the walk knows it. */
  nextDueInMs: number | undefined;
}

/** A key of a queue, such as an account, that a statement has visited on its way through the index, from one key to the next. */
export interface VisitedKey {
  key: string;
  /** Null for a key without work. */
  isLocked: boolean | null;
  dueInMs?: number | null;
}

/** Returns the visit of a statement that has read at most `visitedMax` keys, until `foundMax` of them had work. */
export function toVisit(rows: readonly VisitedKey[], max: { visitedMax: number; foundMax: number }): Visit {
  const open = rows.filter(({ isLocked }) => isLocked !== null);
  const isEnd = rows.length < max.visitedMax && open.length < max.foundMax;
  const waits = rows.flatMap(({ dueInMs }) => dueInMs ?? []);
  return {
    keys: open.filter(({ isLocked }) => isLocked).map(({ key }) => key),
    hasSkipped: open.some(({ isLocked }) => !isLocked),
    next: isEnd ? FIRST_ID : rows.at(-1)!.key,
    nextDueInMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}

/** The position of a process in a ring of keys. A round visits all of them, and begins where the last one was interrupted. */
export class KeyRing {
  #next = FIRST_ID;
  #isFromStart = true;

  get next(): string {
    return this.#next;
  }

  startRound(): void {
    this.#isFromStart = this.#next === FIRST_ID;
  }

  /** Returns whether keys are left in this round. */
  advance(next: string): boolean {
    this.#next = next;
    if (next !== FIRST_ID) return true;
    const isOver = this.#isFromStart;
    this.#isFromStart = true;
    return !isOver;
  }
}
