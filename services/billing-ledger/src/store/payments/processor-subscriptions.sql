-- name: put_processor_subscription :exec
-- Stores the processor's response, unless a response with a later ticket is stored already. A pending request stays due.
INSERT INTO processor_subscriptions AS p (id, customer_id, tier_id, processor_customer_id, status, period_start,
  period_end, cancels_at_period_end, started_at, ticket, check_at, cancel_at, ended_at, item_id, price_ref,
  price_amount_cents, price_currency, price_interval)
VALUES (:id, :customer_id, :tier_id, :processor_customer_id, :status, :period_start,
  :period_end, :cancels_at_period_end, :started_at, :ticket, :check_at, :cancel_at?, :ended_at?, :item_id?, :price_ref?,
  :price_amount_cents?, :price_currency?, :price_interval?)
ON CONFLICT (id) DO UPDATE SET
  tier_id = excluded.tier_id, status = excluded.status, period_start = excluded.period_start,
  period_end = excluded.period_end, cancels_at_period_end = excluded.cancels_at_period_end,
  cancel_at = excluded.cancel_at, ended_at = excluded.ended_at, item_id = excluded.item_id,
  price_ref = excluded.price_ref, price_amount_cents = excluded.price_amount_cents,
  price_currency = excluded.price_currency, price_interval = excluded.price_interval, ticket = excluded.ticket,
  check_at = CASE WHEN p.pending_request IS NULL THEN excluded.check_at ELSE p.check_at END
WHERE p.ticket < excluded.ticket

-- name: take_overdue_subscriptions :many
-- Claims due subscriptions, whose webhook event is overdue or that have a pending request. Schedules the next check.
-- type pending: PendingRequest from store/payments/processor-subscriptions
WITH due AS (
  SELECT id FROM processor_subscriptions
  -- ENDED_STATUSES, as literals: the index is partial.
  WHERE status NOT IN ('canceled', 'incomplete_expired') AND check_at <= :now::timestamptz
  ORDER BY check_at LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
-- ANY: a join would let the planner read the whole table, because it does not know the limit.
UPDATE processor_subscriptions p
SET check_at = :now
  + CASE WHEN p.pending_request IS NULL THEN :check_ms::bigint ELSE :request_ms::bigint END * interval '1 millisecond'
WHERE p.id = ANY (ARRAY(SELECT id FROM due))
RETURNING p.id, p.pending_request AS pending
