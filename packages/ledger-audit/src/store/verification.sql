-- name: ledger_differences :many
-- Compares the owners' accounts with their sealed balances, transfers, open holds and pending refunds, and returns what differs.
-- Reads each account's transfers by its own index range, so that the work grows with the open transfers and not with the age of
-- the ledger. `is_whole` reads every transfer that still exists, from the last month with deleted ones: these are only in the
-- sealed balances.
-- unprepared: the plan depends on how many accounts the owners have.
WITH mine AS MATERIALIZED (
  SELECT id, kind, ref_id, credits, debits, held FROM accounts WHERE owner_account_id = ANY (:owners::uuid[])
),
edge AS MATERIALIZED (
  SELECT month, last_id FROM journal_months
  WHERE CASE WHEN :is_whole::boolean THEN deleted_to IS NOT NULL ELSE state = 'sealed' END
  ORDER BY month DESC LIMIT 1
),
held AS (
  SELECT id, sum(amount) AS total
  FROM (
    SELECT leg.id, leg.amount
    FROM holds h CROSS JOIN LATERAL unnest(h.account_ids, h.amounts) AS leg (id, amount)
    WHERE h.state = 0 /* HOLD_STATES.open */ AND h.owner_account_id = ANY (:owners)
    UNION ALL
    SELECT r.account_id, r.amount_cents * 1000000 FROM payment_refunds r
    WHERE r.status = 'pending' AND r.owner_account_id = ANY (:owners)
  ) reserved
  GROUP BY 1
),
compared AS (
  SELECT m.kind || ':' || m.ref_id AS account, x.field, x.stored, x.recomputed
  FROM mine m
  LEFT JOIN held h USING (id)
  LEFT JOIN LATERAL (
    SELECT s.total_credits, s.total_debits FROM sealed_balances s
    WHERE s.account_id = m.id AND s.month <= (SELECT month FROM edge)
    ORDER BY s.month DESC LIMIT 1
  ) s ON true
  -- `> 1000` is the condition of the partial indexes, which leave out the counter-accounts.
  CROSS JOIN LATERAL (
    SELECT sum(t.amount) AS total FROM transfers t
    WHERE t.credit_account = m.id AND t.credit_account > 1000 AND t.id > coalesce((SELECT last_id FROM edge), 0)
  ) c
  CROSS JOIN LATERAL (
    SELECT sum(t.amount) AS total FROM transfers t
    WHERE t.debit_account = m.id AND t.debit_account > 1000 AND t.id > coalesce((SELECT last_id FROM edge), 0)
  ) d
  CROSS JOIN LATERAL (VALUES
    ('credits', m.credits, coalesce(s.total_credits, 0) + coalesce(c.total, 0)),
    ('debits', m.debits, coalesce(s.total_debits, 0) + coalesce(d.total, 0)),
    ('held', m.held, coalesce(h.total, 0))
  ) AS x (field, stored, recomputed)
)
SELECT account AS "account!", field AS "field!", stored AS "stored!",
  least(greatest(recomputed, -9223372036854775808), 9223372036854775807)::bigint AS "recomputed!"
FROM compared
WHERE stored <> recomputed
LIMIT 1000
