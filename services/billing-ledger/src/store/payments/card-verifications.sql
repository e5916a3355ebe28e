-- name: insert_card_verification :execrows
INSERT INTO card_verifications (account_id, order_id, verified_at, card_brand, card_last4, grant_amount_cents,
  is_grant_used_by_card)
VALUES (:account_id, :order_id, :verified_at, :card_brand, :card_last4, :grant_amount_cents, :is_grant_used_by_card)
ON CONFLICT (account_id) DO NOTHING
