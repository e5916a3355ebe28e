// Generated from holds/claim-expired-holds.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';
import type { HoldState } from '../../../domain/hold.js';

export interface ClaimExpiredHoldsInput {
  except: readonly string[];
  limit: bigint | number;
  claimMs: number;
}

export interface ClaimExpiredHoldsRow {
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
}

const CLAIM_EXPIRED_HOLDS = `
  WITH due AS (
    SELECT request_id, row_number() OVER (PARTITION BY owner_account_id ORDER BY expires_at) AS place
    FROM (
      SELECT request_id, owner_account_id, expires_at
      FROM holds
      WHERE state = 0 AND expires_at < now()
        AND (expiry_claimed_until IS NULL OR expiry_claimed_until < now())
        AND owner_account_id <> ALL ($1::uuid[])
      ORDER BY expires_at
      LIMIT 1000
    ) AS oldest
  ),
  chosen AS (
    SELECT request_id FROM due ORDER BY place LIMIT $2
  ),
  taken AS (
    SELECT request_id
    FROM holds
    WHERE request_id IN (SELECT request_id FROM chosen)
      AND state = 0 AND expires_at < now()
      AND (expiry_claimed_until IS NULL OR expiry_claimed_until < now())
    FOR UPDATE SKIP LOCKED
  )
  UPDATE holds
  SET expiry_claimed_until = now() + $3::int * interval '1 millisecond'
  WHERE request_id IN (SELECT request_id FROM taken)
  RETURNING request_id, state, revision, owner_account_id, terms::text AS "terms", account_ids, amounts,
    progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
    unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens`;

/**
 * Claims open holds past their expiry: the oldest of each owner in turn, and none of the owners in `except`. Settlements read
 * nothing that a claim changes: the settling statement checks the expiry again.
 */
export async function claimExpiredHolds(db: Queryable, input: ClaimExpiredHoldsInput): Promise<ClaimExpiredHoldsRow[]> {
  const { rows } = await db.query<ClaimExpiredHoldsRow>({
    name: 'claim_expired_holds',
    text: CLAIM_EXPIRED_HOLDS,
    values: [
      arrayLiteral(input.except),
      input.limit,
      input.claimMs,
    ],
  });
  return rows;
}
