-- name: balance_history :many
-- Lists an account's journal, newest first, with the balance after each entry and the usage behind each charge. Computes
-- balances backwards from the current one, so that only the skipped and the returned entries are read. Begins after the
-- months whose charges were deleted: balances before them would be wrong.
-- unprepared: the plan depends on how much the account has.
WITH entry AS (
  -- `> 1000` is the condition of the partial indexes, which leave out the counter-accounts.
  (SELECT id, true AS is_credit, amount, kind, occurred_at, cause FROM transfers
   WHERE credit_account = :account_id AND credit_account > 1000 AND id > coalesce((SELECT max(deleted_to) FROM journal_months), 0)
   ORDER BY id DESC LIMIT :take::bigint + :skip::bigint)
  UNION ALL
  (SELECT id, false AS is_credit, amount, kind, occurred_at, cause FROM transfers
   WHERE debit_account = :account_id AND debit_account > 1000 AND id > coalesce((SELECT max(deleted_to) FROM journal_months), 0)
   ORDER BY id DESC LIMIT :take + :skip)
),
counted AS (
  SELECT entry.*, a.credits - a.debits - coalesce(sum(CASE WHEN is_credit THEN amount ELSE -amount END)
    OVER (ORDER BY entry.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_after
  FROM entry, accounts a
  WHERE a.id = :account_id
)
SELECT e.id AS "id!", e.is_credit AS "is_credit!", e.amount AS "amount!", e.kind AS "kind!", e.occurred_at AS "occurred_at!",
  e.balance_after AS "balance_after!", h.terms->>'publicRequestId' AS request_id, h.model_id,
  h.input_tokens - coalesce(h.tool_fee_tokens, 0) AS input_tokens, h.output_tokens
FROM (SELECT * FROM counted ORDER BY id DESC LIMIT :take OFFSET :skip) e
LEFT JOIN holds h ON h.request_id = e.cause
ORDER BY e.id DESC
