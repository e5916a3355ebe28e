// Generated from accounts.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertAccountInput {
  kind: string;
  refId: string;
  windowStart: string;
  ownerAccountId: string;
  isEnforced: boolean;
  windowEnd: Date | null;
}

const INSERT_ACCOUNT = `
  INSERT INTO accounts (kind, ref_id, window_start, owner_account_id, is_enforced, window_end)
  VALUES ($1, $2, ($3::text)::timestamptz, $4, $5, $6)
  ON CONFLICT (kind, ref_id, window_start) DO NOTHING`;

/** Creates an account unless it exists. `window_start` is text, because a balance without a window has `-infinity`. */
export async function insertAccount(db: Queryable, input: InsertAccountInput): Promise<void> {
  await db.query({
    name: 'insert_account',
    text: INSERT_ACCOUNT,
    values: [
      input.kind,
      input.refId,
      input.windowStart,
      input.ownerAccountId,
      input.isEnforced,
      input.windowEnd,
    ],
  });
}
