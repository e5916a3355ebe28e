-- name: add_to_balances :exec
-- Adds the transfers of a chunk to the month's balances. The caller has locked the month.
WITH moved AS (
  SELECT side.account_id, sum(side.credits) AS credits, sum(side.debits) AS debits
  FROM transfers t
  CROSS JOIN LATERAL (VALUES (t.credit_account, t.amount, 0), (t.debit_account, 0, t.amount)) AS side (account_id, credits, debits)
  WHERE t.id > :after AND t.id <= :last
  GROUP BY 1
)
INSERT INTO sealed_balances AS s (month, account_id, credits, debits, total_credits, total_debits)
SELECT :month, m.account_id, m.credits, m.debits, coalesce(p.total_credits, 0) + m.credits, coalesce(p.total_debits, 0) + m.debits
FROM moved m
LEFT JOIN LATERAL (
  SELECT total_credits, total_debits FROM sealed_balances
  WHERE account_id = m.account_id AND month < :month
  ORDER BY month DESC LIMIT 1
) p ON true
ON CONFLICT (month, account_id) DO UPDATE SET
  credits = s.credits + excluded.credits, debits = s.debits + excluded.debits,
  total_credits = s.total_credits + excluded.credits, total_debits = s.total_debits + excluded.debits

-- name: advance_transfers :exec
-- Stores the hash over the chunk. The next chunk follows it; the balances follow the last one.
UPDATE journal_months
SET transfers = transfers + :rows, transfers_hash = decode(:hash, 'hex'),
  position = CASE WHEN :is_last THEN 0 ELSE coalesce(:position?::bigint, position) END,
  state = CASE WHEN :is_last THEN 'balances' ELSE state END
WHERE month = :month
