-- name: store_response :one
-- Stores a response and keeps those that it continues as long as itself.
-- pack output_ids: position int, item_id text
WITH RECURSIVE claim AS (
  INSERT INTO conversation_appends AS a (source_id, conversation_id, is_discarded, created_at)
  VALUES (:id, NULL, false, :created_at)
  -- Changes nothing, but waits for a concurrent discard of the attempt, or makes the discard wait.
  ON CONFLICT (source_id) DO UPDATE SET is_discarded = a.is_discarded
  RETURNING NOT is_discarded AS is_kept
),
chain AS (
  SELECT id, previous_id, 1 AS depth FROM stored_responses WHERE id = :previous_id?
  UNION ALL
  SELECT p.id, p.previous_id, chain.depth + 1 FROM chain JOIN stored_responses p ON p.id = chain.previous_id
  WHERE chain.depth < :chain_max
),
renewed AS (
  -- A day longer than necessary, so that a long chat renews them once a day.
  UPDATE stored_responses SET kept_until = :expires_at::timestamptz + interval '1 day'
  WHERE id IN (SELECT id FROM chain) AND kept_until < :expires_at
),
stored AS (
  INSERT INTO stored_responses (id, project_id, customer_id, response_id, previous_id, response, input_items, output_items, bytes,
    created_at, expires_at, kept_until)
  SELECT :id, :project_id, :customer_id?, :response_id, :previous_id?, :response, :input_items, :output_items, :bytes,
    :created_at, :expires_at, :expires_at
  FROM claim WHERE is_kept
  ON CONFLICT (id) DO NOTHING
  RETURNING id
),
items AS (
  INSERT INTO stored_response_items (stored_response_id, position, item_id)
  SELECT stored.id, item.position, item.item_id FROM stored, :output_ids AS item
)
SELECT is_kept AS "isKept!" FROM claim;

-- name: delete_responses_of_caller :execrows
-- Deletes those beyond the limits, the chains used longest ago first.
DELETE FROM stored_responses WHERE id = ANY (ARRAY(
  SELECT id FROM (
    SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM stored_responses
    WHERE project_id = :project_id AND coalesce(customer_id, project_id) = :caller_id
    WINDOW newest AS (ORDER BY kept_until DESC, created_at, id ROWS UNBOUNDED PRECEDING)) ranked
  WHERE place > :responses_max OR total > :bytes_max ORDER BY place DESC LIMIT :limit))
