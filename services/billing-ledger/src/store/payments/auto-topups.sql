-- name: set_auto_top_up :execrows
-- Stores new settings and resets the failures; nothing if they are enabled and there is no card.
INSERT INTO auto_topups AS a (account_id, is_enabled, threshold_cents, amount_cents)
SELECT :account_id::uuid, :is_enabled::boolean, :threshold_cents::bigint, :amount_cents::bigint
WHERE NOT :is_enabled OR EXISTS (SELECT 1 FROM auto_topups WHERE account_id = :account_id)
ON CONFLICT (account_id) DO UPDATE SET
  is_enabled = excluded.is_enabled, threshold_cents = excluded.threshold_cents, amount_cents = excluded.amount_cents,
  failure_count = 0, next_attempt_at = NULL, updated_at = now()
WHERE NOT excluded.is_enabled OR a.card_id IS NOT NULL

-- name: keep_card :exec
-- Saves the card, replacing an earlier one, and resets the failures.
INSERT INTO auto_topups (account_id, card_id, card_brand, card_last4, card_exp_month, card_exp_year)
VALUES (:account_id, :card_id, :card_brand, :card_last4, :card_exp_month, :card_exp_year)
ON CONFLICT (account_id) DO UPDATE SET
  card_id = excluded.card_id, card_brand = excluded.card_brand, card_last4 = excluded.card_last4,
  card_exp_month = excluded.card_exp_month, card_exp_year = excluded.card_exp_year,
  failure_count = 0, next_attempt_at = NULL, updated_at = now()

-- name: accounts_below_threshold :many
-- Lists accounts below their threshold that may be charged now. The caller decides again under lock.
SELECT t.account_id AS "account_id!"
FROM auto_topups t
LEFT JOIN accounts a ON a.kind = 'owner' AND a.ref_id = t.account_id AND a.window_start = '-infinity'
WHERE t.is_enabled AND t.card_id IS NOT NULL AND (t.next_attempt_at IS NULL OR t.next_attempt_at <= :now)
  AND coalesce(a.credits - a.debits, 0) < t.threshold_cents * 1000000
  AND NOT EXISTS (
    SELECT 1 FROM payment_orders o WHERE o.account_id = t.account_id AND o.kind = 'auto_topup' AND o.status = 'open'
  )
ORDER BY t.last_triggered_at NULLS FIRST
LIMIT :limit
