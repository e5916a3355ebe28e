// Generated from holds/hold-outcomes.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

export interface ReadHoldOutcomesInput {
  holdIds: readonly string[];
  ownerAccountId: string;
}

export interface ReadHoldOutcomesRow {
  holdId: string;
  inputTokens: bigint;
  outputTokens: bigint;
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
  mayChange: boolean;
}

const READ_HOLD_OUTCOMES = `
  SELECT request_id AS "holdId",
    (coalesce(input_tokens, 0) - coalesce(tool_fee_tokens, 0))::bigint AS "inputTokens",
    coalesce(output_tokens, 0)::bigint AS "outputTokens",
    coalesce(customer_microcents, 0)::bigint AS "customerMicrocents",
    coalesce(owner_microcents, 0)::bigint AS "ownerMicrocents",
    state = 3 AS "mayChange"
  FROM holds
  WHERE request_id = ANY ($1::uuid[]) AND owner_account_id = $2 AND settled_at IS NOT NULL`;

/** Returns the outcomes of the account's ended holds. `mayChange`: the hold expired, and a late report may change the figures. */
export async function readHoldOutcomes(db: Queryable, input: ReadHoldOutcomesInput): Promise<ReadHoldOutcomesRow[]> {
  const { rows } = await db.query<ReadHoldOutcomesRow>({
    name: 'read_hold_outcomes',
    text: READ_HOLD_OUTCOMES,
    values: [
      arrayLiteral(input.holdIds),
      input.ownerAccountId,
    ],
  });
  return rows;
}
