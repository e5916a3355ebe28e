-- name: insert_order :execrows
INSERT INTO payment_orders (id, kind, account_id, project_id, customer_id, tier_id, amount_cents, currency, created_at, check_at)
VALUES (:id, :kind, :account_id, :project_id?, :customer_id?, :tier_id?, :amount_cents?, :currency?, :created_at, :check_at)
ON CONFLICT DO NOTHING

-- name: note_session :one
-- Stores the processor's response; a webhook event may already have ended the order. Makes the undo of an order due, now that
-- the session is known.
UPDATE payment_orders
SET session_id = :session_id, session_url = :session_url?, expires_at = :expires_at, check_at = :check_at,
  undo_at = CASE WHEN undo_requested_at IS NOT NULL THEN :now::timestamptz END
WHERE id = :id
RETURNING undo_requested_at IS NOT NULL AS "isUndone!"
