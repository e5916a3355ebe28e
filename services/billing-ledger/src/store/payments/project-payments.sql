-- name: list_project_payments :many
-- unprepared: the plan depends on the filters.
-- type kind: PaymentKind from store/payments/payment-orders
-- type status: PaymentStatus from store/payments/payment-orders
-- Lists the payments of a project's customers, newest first.
SELECT id, kind, status, account_id, project_id, customer_id, tier_id, amount_cents, currency, reversed_cents, session_id,
  session_url, setup_intent_id, payment_intent_id, failure, created_at, expires_at, ended_at, undo_requested_at, undo_at,
  parent_id, tax_cents, period_start, period_end, invoice_url, receipt_url
FROM payment_orders
WHERE project_id = :project_id
  AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND (:kind?::text IS NULL OR kind = :kind?)
  AND (:statuses?::text[] IS NULL OR status = ANY (:statuses?))
  AND (:from?::timestamptz IS NULL OR created_at >= :from?)
  AND (:to?::timestamptz IS NULL OR created_at < :to?)
  AND (:after_created_at?::timestamptz IS NULL OR (created_at, id) < (:after_created_at?, :after_id?::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :take

-- name: add_up_project_payments :many
-- unprepared: the plan depends on the filters.
-- Adds up the payments of a project's customers per currency.
WITH payments AS (
  SELECT currency, kind, status, amount_cents, tax_cents,
    kind NOT IN ('refund', 'dispute') AND status = 'completed' AND amount_cents IS NOT NULL AS is_received
  FROM payment_orders
  WHERE project_id = :project_id AND currency IS NOT NULL
    AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
    AND (:kind?::text IS NULL OR kind = :kind?)
    AND (:statuses?::text[] IS NULL OR status = ANY (:statuses?))
    AND (:from?::timestamptz IS NULL OR created_at >= :from?)
    AND (:to?::timestamptz IS NULL OR created_at < :to?)
)
SELECT currency AS "currency!",
  coalesce(sum(amount_cents) FILTER (WHERE is_received), 0)::bigint AS "receivedCents!",
  coalesce(sum(tax_cents) FILTER (WHERE is_received), 0)::bigint AS "taxCents!",
  coalesce(sum(amount_cents) FILTER (WHERE kind = 'refund' AND status IN ('completed', 'processing')), 0)::bigint
    AS "refundedCents!",
  coalesce(sum(amount_cents) FILTER (WHERE kind = 'dispute' AND status IN ('disputed', 'lost')), 0)::bigint
    AS "disputedCents!",
  count(*) FILTER (WHERE is_received) AS "count!"
FROM payments
GROUP BY currency
ORDER BY currency
