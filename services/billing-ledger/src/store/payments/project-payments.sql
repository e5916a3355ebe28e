-- name: list_project_payments :many
-- Lists the purchases of a project's customers, newest first.
-- type kind: OrderKind from store/payments/payment-orders
-- type status: OrderStatus from store/payments/payment-orders
-- unprepared: its filters are optional.
SELECT id, kind, status, account_id, project_id, customer_id, tier_id, amount_cents, currency, reversed_cents,
  session_id, session_url, setup_intent_id, payment_intent_id, failure, created_at, expires_at, ended_at,
  undo_requested_at, undo_at
FROM payment_orders
WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND (:kind?::text IS NULL OR kind = :kind?) AND (:status?::text IS NULL OR status = :status?)
  AND (:after_created_at?::timestamptz IS NULL OR (created_at, id) < (:after_created_at?, :after_id?::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :take
