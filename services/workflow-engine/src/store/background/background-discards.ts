import type { Queryable } from '@tollgate/postgres';
import { putDiscard } from '../gen/background/background-discards.js';

/** The undoing of a response that has ended without an answer for its client. */
export interface BackgroundDiscard {
  /** UUID of the response. */
  id: string;
  principal: Uint8Array;
  /** Of all attempts. */
  holdIds: readonly string[];
  /** Whether its customer pays for none of them. */
  isSuperseded: boolean;
}

export interface DueDiscard extends BackgroundDiscard {
  tries: number;
}

/** The process that inserts a discard attempts it at once; others leave it alone for so long. */
const FIRST_TRY_MS = 10_000;

interface Row {
  id: string;
  principal: Buffer;
  hold_ids: string[];
  is_superseded: boolean;
  tries: number;
}

const COLUMNS = 'id, principal, hold_ids, is_superseded, tries';

/** Stores a discard, which is repeated until it has succeeded. Joins an earlier one of the same response. */
export async function insertDiscard(db: Queryable, discard: BackgroundDiscard): Promise<void> {
  await putDiscard(db, { ...discard, delayMs: FIRST_TRY_MS });
}

export async function findDiscard(db: Queryable, id: string): Promise<BackgroundDiscard | undefined> {
  const result = await db.query<Row>({
    name: 'background_discards.find',
    text: `SELECT ${COLUMNS} FROM background_discards WHERE id = $1`,
    values: [id],
  });
  return result.rows.map(toDiscard)[0];
}

/** Takes due discards and reschedules them with growing delays. */
export async function takeDiscards(db: Queryable, limit: number): Promise<DueDiscard[]> {
  const result = await db.query<Row>({
    name: 'background_discards.take',
    text: `
      UPDATE background_discards SET tries = tries + 1, due_at = now() + least(3600, 2 ^ least(tries + 1, 12)) * interval '1 s'
      WHERE id = ANY (ARRAY(
        SELECT id FROM background_discards WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING ${COLUMNS}`,
    values: [limit],
  });
  return result.rows.map(toDiscard);
}

/** Deletes a discard that has succeeded, unless it has become a larger one since. */
export async function deleteDiscard(db: Queryable, { id, isSuperseded }: BackgroundDiscard): Promise<void> {
  await db.query({
    name: 'background_discards.delete',
    text: 'DELETE FROM background_discards WHERE id = $1 AND is_superseded = $2',
    values: [id, isSuperseded],
  });
}

function toDiscard({ hold_ids: holdIds, is_superseded: isSuperseded, ...rest }: Row): DueDiscard {
  return { ...rest, holdIds, isSuperseded };
}
