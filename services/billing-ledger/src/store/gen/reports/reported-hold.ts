// Generated from reports/reported-hold.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { HoldState } from '../../../domain/hold.js';
import type { Charges, FreeBefore } from '../../../store/reports/reported-hold.js';

export interface FindReportedHoldInput {
  holdId: string;
  ownerAccountId: string;
}

export interface FindReportedHoldRow {
  request_id: string;
  state: HoldState;
  revision: number;
  owner_account_id: string;
  terms: string;
  account_ids: bigint[];
  amounts: bigint[];
  progress_input_tokens: bigint;
  progress_output_tokens: bigint;
  customer_microcents: bigint | null;
  owner_microcents: bigint | null;
  overrun_microcents: bigint | null;
  unreconciled_microcents: bigint | null;
  input_tokens: bigint | null;
  output_tokens: bigint | null;
  images: number | null;
  tool_fee_tokens: bigint | null;
  created_at: Date;
  expires_at: Date;
  settled_at: Date | null;
  free_before: FreeBefore | null;
  charges: Charges | null;
}

const FIND_REPORTED_HOLD = `
  SELECT request_id, state, revision, owner_account_id, terms::text AS "terms", account_ids, amounts,
    progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
    unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens, created_at, expires_at, settled_at,
    free_before::text[] AS free_before,
    (SELECT json_object_agg(t.kind, t.amount::text) FROM transfers t WHERE t.cause = holds.request_id) AS charges
  FROM holds
  WHERE request_id = $1 AND owner_account_id = $2`;

/**
 * Returns a hold of the account with what only reports show. Its transfers are missing once their month is archived and deleted.
 * `free_before` is by leg; null: not recorded. `charges` are the amounts of its transfers by kind; null: none.
 */
export async function findReportedHold(db: Queryable, input: FindReportedHoldInput): Promise<FindReportedHoldRow | undefined> {
  const { rows } = await db.query<FindReportedHoldRow>({
    name: 'find_reported_hold',
    text: FIND_REPORTED_HOLD,
    values: [
      input.holdId,
      input.ownerAccountId,
    ],
  });
  return rows[0];
}
