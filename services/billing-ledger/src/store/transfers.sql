-- name: insert_transfer :execrows
INSERT INTO transfers (debit_account, credit_account, amount, kind, cause, cause_ref)
VALUES (:debit, :credit, :amount, :kind, :cause, :cause_ref?)
ON CONFLICT (cause, kind) DO NOTHING

-- name: customer_charges :many
-- Sums what a hold charged to its customer's accounts, minus what a late report returned.
SELECT account AS "account!", sum(amount)::bigint AS "amount!"
FROM (
  SELECT debit_account AS account, amount FROM transfers
  WHERE cause = :hold_id AND kind IN ('charge_allowance', 'charge_wallet', 'late_allowance', 'late_wallet')
  UNION ALL
  SELECT credit_account, -amount FROM transfers
  WHERE cause = :hold_id AND kind IN ('returned_allowance', 'returned_wallet')
) t
GROUP BY 1
HAVING sum(amount) > 0
