// Generated from payments/card-verifications.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertCardVerificationInput {
  accountId: string;
  orderId: string;
  verifiedAt: Date;
  cardBrand: string;
  cardLast4: string;
  grantAmountCents: bigint | number;
  isGrantUsedByCard: boolean;
}

const INSERT_CARD_VERIFICATION = `
  INSERT INTO card_verifications (account_id, order_id, verified_at, card_brand, card_last4, grant_amount_cents,
    is_grant_used_by_card)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (account_id) DO NOTHING`;

export async function insertCardVerification(db: Queryable, input: InsertCardVerificationInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_card_verification',
    text: INSERT_CARD_VERIFICATION,
    values: [
      input.accountId,
      input.orderId,
      input.verifiedAt,
      input.cardBrand,
      input.cardLast4,
      input.grantAmountCents,
      input.isGrantUsedByCard,
    ],
  });
  return rowCount ?? 0;
}
