import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../../domain/hold.js';

export interface HoldOutcomeRow {
  holdId: string;
  inputTokens: bigint;
  outputTokens: bigint;
  customerMicrocents: bigint;
  ownerMicrocents: bigint;
  /** The hold expired: a late report may still change the figures. */
  mayChange: boolean;
}

/** Returns the outcomes of the account's ended holds. */
export async function readHoldOutcomes(
  db: Queryable,
  ownerAccountId: string,
  holdIds: readonly string[],
): Promise<HoldOutcomeRow[]> {
  const { rows } = await db.query<HoldOutcomeRow>({
    name: 'hold_outcomes',
    text: `SELECT request_id AS "holdId", (coalesce(input_tokens, 0) - coalesce(tool_fee_tokens, 0))::bigint AS "inputTokens",
        coalesce(output_tokens, 0)::bigint AS "outputTokens",
        coalesce(customer_microcents, 0)::bigint AS "customerMicrocents",
        coalesce(owner_microcents, 0)::bigint AS "ownerMicrocents", state = ${HOLD_STATES.expired} AS "mayChange"
      FROM holds WHERE request_id = ANY($1::uuid[]) AND owner_account_id = $2::uuid AND settled_at IS NOT NULL`,
    values: [holdIds, ownerAccountId],
  });
  return rows;
}
