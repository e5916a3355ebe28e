// Generated from background/background-discards.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

export interface PutDiscardInput {
  id: string;
  principal: Uint8Array;
  holdIds: readonly string[];
  isSuperseded: boolean;
  delayMs: number;
}

const PUT_DISCARD = `
  INSERT INTO background_discards AS d (id, principal, hold_ids, is_superseded, due_at)
  VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms')
  ON CONFLICT (id) DO UPDATE
  SET hold_ids = excluded.hold_ids, is_superseded = d.is_superseded OR excluded.is_superseded, due_at = excluded.due_at`;

/** Stores a discard, or joins an earlier one of the same response. */
export async function putDiscard(db: Queryable, input: PutDiscardInput): Promise<void> {
  await db.query({
    name: 'put_discard',
    text: PUT_DISCARD,
    values: [
      input.id,
      input.principal,
      arrayLiteral(input.holdIds),
      input.isSuperseded,
      input.delayMs,
    ],
  });
}
