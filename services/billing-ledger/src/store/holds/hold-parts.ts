import type { Queryable } from '@tollgate/postgres';

/** Records a hold as part of another. Returns true if the whole was superseded before. */
export async function joinWhole(db: Queryable, holdId: string, partId: string): Promise<boolean> {
  // Two statements: a later supersede of the whole finds the part; an earlier one is found by the second statement.
  await db.query('INSERT INTO hold_parts (request_id, part_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    holdId,
    partId,
  ]);
  const { rowCount } = await db.query('SELECT 1 FROM holds WHERE request_id = $1 AND superseded_at IS NOT NULL', [
    holdId,
  ]);
  return rowCount === 1;
}

export async function findParts(db: Queryable, holdId: string): Promise<string[]> {
  const { rows } = await db.query<{ part_id: string }>('SELECT part_id FROM hold_parts WHERE request_id = $1', [
    holdId,
  ]);
  return rows.map(({ part_id }) => part_id);
}

/** Marks the hold as superseded, so that its later parts are not admitted. */
export async function markSuperseded(db: Queryable, holdId: string): Promise<void> {
  await db.query('UPDATE holds SET superseded_at = coalesce(superseded_at, now()) WHERE request_id = $1', [holdId]);
}
