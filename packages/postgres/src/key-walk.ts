import type { Tx } from './transaction.js';

/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A walk through the keys of a queue, from one key of its index to the next. */
export interface KeyWalkOptions {
  /** Of the prepared statement. */
  name: string;
  table: string;
  /** The column whose values, UUIDs, are walked: the first one of an index. */
  key: string;
  /** SQL: the condition of the index. */
  where: string;
  /** Columns that follow in the order of the index, such that the first row of a key decides `isOpen`. */
  columns?: readonly string[];
  /** SQL that says of `next`, the first row of a key, whether a claim may find work under the key. Further values begin with `$3`. */
  isOpen: string;
  /** One of `columns`: the time at which the first row of a key that is not open is due. */
  dueAt?: string;
  /** Class of the advisory locks that give a key to one claim; without it, keys are not locked. */
  lockClass?: number;
  /** The keys that one visit reads at most. */
  visitedMax: number;
}

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

/**
 * Visits the keys of a queue, such as its accounts, in turn. A visit reads a bounded number of index entries, and its cost does not depend
 * on the number of rows under a key. With a `lockClass`, it tries to lock the keys with work until the transaction ends: what is read
 * afterwards in the transaction is exact, and keys whose lock another claim has are left to that claim.
 */
export class KeyWalk {
  readonly #options: KeyWalkOptions;
  readonly #text: string;

  constructor(options: KeyWalkOptions) {
    this.#options = options;
    this.#text = walkSql(options);
  }

  /** Visits keys after `after` until `foundMax` of them have work. */
  async visit(tx: Tx, after: string, foundMax: number, ...values: unknown[]): Promise<Visit> {
    const { name, visitedMax } = this.#options;
    const result = await tx.query<VisitedKey>({ name, text: this.#text, values: [after, foundMax, ...values] });
    return toVisit(result.rows, { visitedMax, foundMax });
  }
}

/** A key that a walk has visited. */
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

function walkSql({ table, key, where, columns = [], isOpen, dueAt, lockClass, visitedMax }: KeyWalkOptions): string {
  const order = [key, ...columns].join(', ');
  const next = (above: string) =>
    `SELECT ${order} FROM ${table} WHERE ${where} AND ${key} > ${above} ORDER BY ${order} LIMIT 1`;
  const isOurs = lockClass === undefined ? 'true' : `pg_try_advisory_xact_lock(${lockClass}, hashtext(${key}::text))`;
  const open = `SELECT coalesce(${isOpen}, false) AS is_open`;
  const due = dueAt === undefined ? 'NULL::timestamptz' : `next.${dueAt}`;
  return `
  WITH RECURSIVE walk AS (
    (SELECT next.${key}, ${due} AS due_at, open.is_open, 1 AS place, open.is_open::int AS found
     FROM (${next('$1')}) AS next CROSS JOIN LATERAL (${open}) AS open)
    UNION ALL
    SELECT next.${key}, ${due}, open.is_open, walk.place + 1, walk.found + open.is_open::int
    FROM walk CROSS JOIN LATERAL (${next(`walk.${key}`)}) AS next CROSS JOIN LATERAL (${open}) AS open
    WHERE walk.place < ${visitedMax} AND walk.found < $2
  )
  SELECT ${key} AS key, CASE WHEN is_open THEN ${isOurs} END AS "isLocked",
         CASE WHEN due_at > now() THEN extract(epoch FROM due_at - now())::float * 1000 END AS "dueInMs"
  FROM walk ORDER BY place`;
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
