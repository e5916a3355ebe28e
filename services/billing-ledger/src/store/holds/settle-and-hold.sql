-- name: settle_and_hold :one
-- Ends a batch of holds: holds, account sums, journal, roll-ups and events. Writes a batch of new holds if they fit, as
-- `hold_all_or_nothing` does. One commit serves both, and each account is locked and changed once; funds that the ended holds
-- free count for the new ones. Either batch may be empty.
--
-- A hold is ended only if it is open and unchanged since the caller read it (same revision: it may have been extended or
-- superseded). A verdict also requires that the hold is past its expiry on the database's clock. If a hold cannot be ended,
-- the statement fails (SQLSTATE TG001), which undoes everything without the round trips of BEGIN and ROLLBACK.
--
-- The batch is grouped by account before, so each row is updated once and found by its index.
-- pack changes: id bigint, held bigint, posted bigint, needed bigint
-- pack holds: request_id uuid, owner_account_id uuid, customer_id uuid?, model_id text, terms json
-- pack holds: account_ids bigint[], amounts bigint[], places int[], taken bigint[], ttl_ms int
-- pack ended: request_id uuid, revision int, state smallint, input_tokens bigint, output_tokens bigint, images int
-- pack ended: tool_fee_tokens bigint, fee_microcents bigint, customer_microcents bigint, owner_microcents bigint
-- pack ended: overrun_microcents bigint, unreconciled_microcents bigint
-- pack transfers: cause uuid, debit_account bigint, credit_account bigint, amount bigint, kind text
-- pack events: id uuid, topic text, key text, type text, payload bytea, request_id text, traceparent text?
-- pack rollups: owner uuid, project uuid, customer uuid, window_ms bigint, key uuid, model text, requests bigint
-- pack rollups: input bigint, output bigint, images bigint, charged bigint, provider bigint, overrun bigint
-- pack rollups: unreconciled bigint
WITH locked AS (
  SELECT a.id, c.held, c.posted, c.needed,
    c.needed = 0 OR NOT a.is_enforced OR a.credits - a.debits - c.posted - a.held + c.held >= c.needed AS fits,
    CASE WHEN a.is_enforced THEN a.credits - a.debits - c.posted - a.held + c.held END AS free
  FROM :changes AS c JOIN accounts a ON a.id = c.id
  ORDER BY a.id
  -- fault point: lock no accounts
  FOR UPDATE OF a
),
seen AS (SELECT array_agg(free ORDER BY id) AS free FROM locked),
verdict AS (SELECT coalesce(bool_and(fits), true) AND count(*) = :changes.length AS ok FROM locked),
sums AS (
  UPDATE accounts a SET held = a.held - l.held + CASE WHEN v.ok THEN l.needed ELSE 0 END, debits = a.debits + l.posted
  FROM locked l, verdict v WHERE a.id = l.id
  RETURNING a.id, a.kind, a.is_enforced, a.limit_microcents, a.limit_microcents - a.credits + a.debits AS used, l.posted
),
written AS (
  INSERT INTO holds (request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts, expires_at, free_before)
  SELECT h.request_id, h.owner_account_id, h.customer_id, h.model_id, h.terms, h.account_ids, h.amounts,
    now() + h.ttl_ms * interval '1 millisecond',
    ARRAY(SELECT seen.free[u.place] - u.taken FROM unnest(h.places, h.taken) AS u (place, taken))
  FROM :holds AS h, seen WHERE (SELECT ok FROM verdict)
),
ended AS (
  -- `ended` is in the order of ids, so width_bucket finds the place of a hold by binary search. OFFSET 0: once per row.
  UPDATE holds SET settled_at = now(), (state, input_tokens, output_tokens, images, tool_fee_tokens, fee_microcents,
    customer_microcents, owner_microcents, overrun_microcents, unreconciled_microcents) = (
      SELECT :ended.state[at.i], :ended.input_tokens[at.i], :ended.output_tokens[at.i], :ended.images[at.i],
        :ended.tool_fee_tokens[at.i], :ended.fee_microcents[at.i], :ended.customer_microcents[at.i],
        :ended.owner_microcents[at.i], :ended.overrun_microcents[at.i], :ended.unreconciled_microcents[at.i]
      FROM (SELECT width_bucket(holds.request_id, :ended.request_id) AS i OFFSET 0) AS at)
  -- The plan is made once, often while there are no holds. A join would let the planner read all open holds for each batch, and
  -- still do so when there are many; ANY does not.
  WHERE holds.request_id = ANY (:ended.request_id)
    AND :ended.request_id[width_bucket(holds.request_id, :ended.request_id)] = holds.request_id
    AND holds.revision = :ended.revision[width_bucket(holds.request_id, :ended.request_id)]
    -- `+ 0`: the bare condition would let the planner read the index of all open holds.
    -- fault point: settle an ended hold
    AND holds.state + 0 = 0 /* HOLD_STATES.open */
    AND (:ended.state[width_bucket(holds.request_id, :ended.request_id)] <> 3 /* HOLD_STATES.expired */ OR holds.expires_at < now())
    -- Always true. PostgreSQL runs the parts that change rows in no defined order; this one reads all of `locked` first, which
    -- locks the accounts in id order.
    AND (SELECT count(*) FROM locked) >= 0
  RETURNING 1
),
reached AS (
  -- Limits are whole cents, so the division is exact. It comes first because limit * percent may exceed the range of bigint.
  INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents)
  SELECT s.id, p.percent, s.used, s.limit_microcents FROM sums s CROSS JOIN (VALUES (50), (80), (100)) AS p (percent)
  WHERE s.kind = 'allowance' AND s.is_enforced AND s.posted > 0 AND s.limit_microcents > 0
    AND s.used >= s.limit_microcents / 100 * p.percent
  ON CONFLICT DO NOTHING RETURNING 1
),
journal AS (
  INSERT INTO transfers (cause, debit_account, credit_account, amount, kind) SELECT * FROM :transfers AS t
  -- fault point: book a transfer twice
),
events AS (INSERT INTO outbox (id, topic, key, type, payload, request_id, traceparent) SELECT * FROM :events AS e),
rollups AS (
  INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
    input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
  SELECT owner, project, customer, to_timestamp(window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, key, model, requests,
    input, output, images, charged, provider, overrun, unreconciled
  FROM :rollups AS r
  -- After the accounts, as above.
  WHERE (SELECT count(*) FROM locked) >= 0
  ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
    requests = u.requests + excluded.requests, images = u.images + excluded.images,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    customer_microcents = u.customer_microcents + excluded.customer_microcents,
    provider_microcents = u.provider_microcents + excluded.provider_microcents,
    overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
    unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents
)
SELECT require_all_ended((SELECT count(*) FROM ended) = :ended.length), ok AS "ok!",
  (SELECT count(*) > 0 FROM reached) AS "reached!"
FROM verdict
