-- name: insert_background :one
-- Stores a response, which a worker runs. Returns undefined when there is one with this id.
-- type status: BackgroundStatus from domain/background/background-answer
INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, traceparent, head, ended_head, body, bytes,
  options, expires_at, hold_ttl_ms, hold_due_at, is_streamed)
VALUES (:id, :account_id, :project_id, :customer_id?, :principal, :traceparent?, :head, :ended_head?, :body, :bytes,
  :options, now() + :timeout_ms * interval '1 ms', :hold_ttl_ms, now() + :hold_ttl_ms::int / 3 * interval '1 ms', :is_streamed)
ON CONFLICT (id) DO NOTHING
RETURNING id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event

-- name: is_within_limits :one
-- Adds up the unfinished responses of the project and of the customer, with new ones that are not stored yet.
SELECT count(*) + :new_responses <= :project_responses AND coalesce(sum(bytes), 0) + :new_bytes <= :project_bytes
  AND (:customer_id?::uuid IS NULL OR (
    count(*) FILTER (WHERE customer_id = :customer_id?) + :new_responses <= :customer_responses
    AND coalesce(sum(bytes) FILTER (WHERE customer_id = :customer_id?), 0) + :new_bytes <= :customer_bytes)) AS "is_within!"
FROM background_responses
WHERE project_id = :project_id AND ended_at IS NULL

-- name: find_background :one
-- type status: BackgroundStatus from domain/background/background-answer
SELECT id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event
FROM background_responses
WHERE id = :id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND status <> 'discarded'

-- name: find_stream :one
-- Returns the state of a response's stream, without the response.
SELECT is_streamed, has_events, last_event, ended_at IS NOT NULL AS "has_ended!"
FROM background_responses
WHERE id = :id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND status <> 'discarded'

-- name: cancel_background :one
-- Ends an unfinished response without an answer: its lease is void. Returns undefined for any other.
-- type status: BackgroundStatus from domain/background/background-answer
UPDATE background_responses
SET status = 'cancelled', ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL,
  head = coalesce(ended_head, head), ended_head = NULL, bytes = octet_length(coalesce(ended_head, head))
WHERE id = :id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND status <> 'discarded' AND ended_at IS NULL
RETURNING id, head, status, error, answer, attempt, superseded_attempt, is_dispatched, is_streamed, last_event

-- name: delete_background :execrows
DELETE FROM background_responses
WHERE id = :id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND status <> 'discarded'

-- name: empty_background :exec
-- Leaves nothing of a response but its id, so that it cannot be created again.
WITH emptied AS (
  UPDATE background_responses
  SET status = 'discarded', head = '{}', ended_head = NULL, error = NULL, answer = NULL, bytes = 0, event_bytes = 0,
    has_events = false, ended_at = now()
  WHERE id = :id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
    AND status <> 'discarded'
  RETURNING id
)
DELETE FROM background_events WHERE response_id IN (SELECT id FROM emptied)

-- name: forbid_background :execrows
-- Forbids to create a response with this id, unless there is one. Waits for a transaction that creates it.
INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, head, bytes, options, status, expires_at,
  ended_at)
VALUES (:id, :account_id, :project_id, :customer_id?, '', '{}', 0, '{}', 'discarded', now(), now())
ON CONFLICT (id) DO NOTHING

-- name: prune_caller :exec
-- Deletes the oldest ended responses of a caller that exceed its limits, up to a limit.
DELETE FROM background_responses
WHERE id = ANY (ARRAY(
  SELECT id
  FROM (
    SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
    FROM background_responses
    WHERE coalesce(customer_id, project_id) = :caller_id AND ended_at IS NOT NULL
    WINDOW newest AS (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS ended
  WHERE place > :responses_max OR bytes > :bytes_max
  ORDER BY place DESC
  LIMIT :limit))

-- name: prune_project :exec
-- Deletes the oldest ended responses of a project that exceed its limits, up to a limit.
DELETE FROM background_responses
WHERE id = ANY (ARRAY(
  SELECT id
  FROM (
    SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
    FROM background_responses
    WHERE project_id = :project_id AND ended_at IS NOT NULL
    WINDOW newest AS (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS ended
  WHERE place > :responses_max OR bytes > :bytes_max
  ORDER BY place DESC
  LIMIT :limit))
