// Generated from payments/payment-orders.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertOrderInput {
  id: string;
  kind: string;
  accountId: string;
  projectId: string | null;
  customerId: string | null;
  tierId: string | null;
  amountCents: bigint | number | null;
  currency: string | null;
  createdAt: Date;
  checkAt: Date;
}

const INSERT_ORDER = `
  INSERT INTO payment_orders (id, kind, account_id, project_id, customer_id, tier_id, amount_cents, currency, created_at, check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT DO NOTHING`;

export async function insertOrder(db: Queryable, input: InsertOrderInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_order',
    text: INSERT_ORDER,
    values: [
      input.id,
      input.kind,
      input.accountId,
      input.projectId,
      input.customerId,
      input.tierId,
      input.amountCents,
      input.currency,
      input.createdAt,
      input.checkAt,
    ],
  });
  return rowCount ?? 0;
}

export interface NoteSessionInput {
  sessionId: string;
  sessionUrl: string | null;
  expiresAt: Date;
  checkAt: Date;
  now: Date;
  id: string;
}

export interface NoteSessionRow {
  isUndone: boolean;
}

const NOTE_SESSION = `
  UPDATE payment_orders
  SET session_id = $1, session_url = $2, expires_at = $3, check_at = $4,
    undo_at = CASE WHEN undo_requested_at IS NOT NULL THEN $5::timestamptz END
  WHERE id = $6
  RETURNING undo_requested_at IS NOT NULL AS "isUndone"`;

/**
 * Stores the processor's response; a webhook event may already have ended the order. Makes the undo of an order due, now that
 * the session is known.
 */
export async function noteSession(db: Queryable, input: NoteSessionInput): Promise<NoteSessionRow | undefined> {
  const { rows } = await db.query<NoteSessionRow>({
    name: 'note_session',
    text: NOTE_SESSION,
    values: [
      input.sessionId,
      input.sessionUrl,
      input.expiresAt,
      input.checkAt,
      input.now,
      input.id,
    ],
  });
  return rows[0];
}
