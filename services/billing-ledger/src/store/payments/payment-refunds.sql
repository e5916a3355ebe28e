-- name: insert_refund :one
-- type status: RefundStatus from store/payments/payment-refunds
INSERT INTO payment_refunds (id, order_id, account_id, owner_account_id, cause, amount_cents, created_at, check_at)
VALUES (:id, :order_id, :account_id, :owner_account_id, :cause, :amount_cents, :created_at, :check_at)
RETURNING id, order_id, account_id, amount_cents, status, failure, created_at, ended_at

-- name: end_refund :one
-- Ends a refund and returns it with the status that it had, unless it already has the status, or failed: a failed refund never
-- succeeds. A succeeded one can fail days later.
-- type status: RefundStatus from store/payments/payment-refunds
-- type before: RefundStatus from store/payments/payment-refunds
WITH former AS (
  SELECT id, status FROM payment_refunds WHERE id = :id AND status <> :status AND status <> 'failed' FOR UPDATE
)
UPDATE payment_refunds r SET status = :status, ended_at = :at, failure = :failure?
FROM former
WHERE r.id = former.id
RETURNING r.id, r.order_id, r.account_id, r.amount_cents, r.status, r.failure, r.created_at, r.ended_at, former.status AS before

-- name: take_overdue_refunds :many
-- Claims pending refunds whose outcome is overdue, and schedules their next check with a delay that grows with their age.
-- type status: RefundStatus from store/payments/payment-refunds
WITH due AS (
  SELECT id FROM payment_refunds
  WHERE status = 'pending' AND check_at <= :now::timestamptz
  ORDER BY check_at LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
-- ANY: a join would let the planner read the whole table, because it does not know the limit.
UPDATE payment_refunds r
SET check_at = :now + greatest(:pause_ms::int * interval '1 millisecond', :now - r.created_at)
WHERE r.id = ANY (ARRAY(SELECT id FROM due))
RETURNING r.id, r.order_id, r.account_id, r.amount_cents, r.status, r.failure, r.created_at, r.ended_at
