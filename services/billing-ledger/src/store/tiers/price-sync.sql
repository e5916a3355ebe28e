-- name: set_price_sync :exec
-- Writes what saving a tier decided about its price at the processor.
UPDATE tiers SET price_sync = :price_sync?, price_sync_failure = :failure?,
  -- A name that the processor was not given yet stays due.
  price_sync_at = CASE WHEN :price_sync? = 'ready' THEN coalesce(:due_at?, price_sync_at) ELSE :due_at? END,
  price_sync_attempts = CASE WHEN :is_new_version THEN 0 ELSE 1 END,
  price_version = price_version + CASE WHEN :is_new_version THEN 1 ELSE 0 END
WHERE id = :id

-- name: take_due_prices :many
-- Claims tiers that are due to be sent to the processor, and schedules the next attempt.
WITH due AS (
  SELECT id FROM tiers WHERE price_sync_at <= :now::timestamptz ORDER BY price_sync_at LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
-- ANY: a join would let the planner read the whole table, because it does not know the limit.
UPDATE tiers SET price_sync_at = :retry_at, price_sync_attempts = price_sync_attempts + 1
WHERE id = ANY (ARRAY(SELECT id FROM due))
RETURNING id

-- name: end_price_sync :exec
-- Stores the processor's answer, unless the tier got another price in the meantime.
UPDATE tiers SET billing_price_ref = COALESCE(:price_ref?, billing_price_ref), price_sync = :price_sync,
  price_sync_failure = :failure?, price_sync_at = :due_at?, updated_at = now()
WHERE id = :id AND price_version = :version AND price_sync = 'pending'
