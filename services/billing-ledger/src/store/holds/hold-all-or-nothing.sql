-- name: hold_all_or_nothing :one
-- Writes a batch of holds if every account covers everything that the batch needs of it, and nothing otherwise: one
-- statement, one round trip, one commit. Locks the accounts in id order and checks the sums on the locked rows.
--
-- `places` are the positions of a hold's accounts among the needs, in the order of ids, and `taken` is what earlier holds of
-- the batch take of each.
-- pack needs: id bigint, needed bigint
-- pack holds: request_id uuid, owner_account_id uuid, customer_id uuid?, model_id text, terms json
-- pack holds: account_ids bigint[], amounts bigint[], places int[], taken bigint[], ttl_ms int
WITH locked AS (
  SELECT a.id, n.needed, NOT a.is_enforced OR a.credits - a.debits - a.held >= n.needed AS fits,
    CASE WHEN a.is_enforced THEN a.credits - a.debits - a.held END AS free
  FROM :needs AS n JOIN accounts a ON a.id = n.id
  ORDER BY a.id
  -- fault point: lock no accounts
  FOR UPDATE OF a
),
seen AS (
  SELECT array_agg(free ORDER BY id) AS free FROM locked
),
verdict AS (
  SELECT coalesce(bool_and(fits), true) AND count(*) = :needs.length AS ok FROM locked
),
held AS (
  UPDATE accounts a SET held = a.held + l.needed FROM locked l, verdict v WHERE v.ok AND a.id = l.id
),
written AS (
  INSERT INTO holds (request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts, expires_at, free_before)
  SELECT h.request_id, h.owner_account_id, h.customer_id, h.model_id, h.terms, h.account_ids, h.amounts,
    now() + h.ttl_ms * interval '1 millisecond',
    ARRAY(SELECT seen.free[u.place] - u.taken FROM unnest(h.places, h.taken) AS u (place, taken))
  FROM :holds AS h, seen
  WHERE (SELECT ok FROM verdict)
)
SELECT ok AS "ok!" FROM verdict
