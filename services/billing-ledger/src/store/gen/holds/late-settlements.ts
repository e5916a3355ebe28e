// Generated from holds/late-settlements.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface CorrectHoldInput {
  state: number;
  inputTokens: bigint | number;
  outputTokens: bigint | number;
  images: number;
  toolFeeTokens: bigint | number;
  feeMicrocents: bigint | number;
  customerMicrocents: bigint | number;
  ownerMicrocents: bigint | number;
  overrunMicrocents: bigint | number;
  unreconciledMicrocents: bigint | number;
  holdId: string;
}

const CORRECT_HOLD = `
  UPDATE holds
  SET state = $1, settled_at = now(), input_tokens = $2, output_tokens = $3, images = $4,
    tool_fee_tokens = $5, fee_microcents = $6, customer_microcents = $7,
    owner_microcents = $8, overrun_microcents = $9,
    unreconciled_microcents = $10
  WHERE request_id = $11`;

/** Replaces the outcome of an ended hold. */
export async function correctHold(db: Queryable, input: CorrectHoldInput): Promise<void> {
  await db.query({
    name: 'correct_hold',
    text: CORRECT_HOLD,
    values: [
      input.state,
      input.inputTokens,
      input.outputTokens,
      input.images,
      input.toolFeeTokens,
      input.feeMicrocents,
      input.customerMicrocents,
      input.ownerMicrocents,
      input.overrunMicrocents,
      input.unreconciledMicrocents,
      input.holdId,
    ],
  });
}
