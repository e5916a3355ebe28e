-- name: append_events :execrows
-- Appends events of a leased response, which follow its event `after`. Changes nothing when the lease was lost, or another event
-- is the last one.
WITH held AS (
  UPDATE background_responses
  SET last_event = :last, event_bytes = event_bytes + octet_length(:events::text), has_events = true
  WHERE id = :id AND lease_epoch = :epoch AND lease_owner IS NOT NULL AND last_event = :after
  RETURNING id
)
INSERT INTO background_events (response_id, last_event, events) SELECT id, :last, :events FROM held

-- name: insert_events :exec
-- Inserts events of a response whose row this transaction has inserted or ended.
WITH changed AS (
  UPDATE background_responses
  SET last_event = :last, event_bytes = event_bytes + octet_length(:events::text), has_events = true
  WHERE id = :id
  RETURNING id
)
INSERT INTO background_events (response_id, last_event, events) SELECT id, :last, :events FROM changed

-- name: read_event_page :many
-- Returns the rows with the next events after a sequence number. A page ends with the row that fills its bytes.
SELECT events AS "events!"
FROM (
  SELECT *, sum(octet_length(events)) OVER (ORDER BY last_event) - octet_length(events) AS bytes_before
  FROM (
    SELECT last_event, events
    FROM background_events
    WHERE response_id = :id AND last_event > :after
    ORDER BY last_event
    LIMIT 100 /* PAGE_ROWS */) AS next) AS page
WHERE bytes_before < :bytes
ORDER BY last_event

-- name: prune_events :exec
-- Deletes the events of the oldest ended responses of a project that exceed its bound, of up to `limit` responses.
WITH old AS (
  UPDATE background_responses
  SET event_bytes = 0, has_events = false
  WHERE id = ANY (ARRAY(
    SELECT id
    FROM (
      SELECT id, ended_at, sum(event_bytes) OVER (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
      FROM background_responses
      WHERE project_id = :project_id AND ended_at IS NOT NULL AND has_events) AS ended
    WHERE total > :bytes_max
    ORDER BY ended_at
    LIMIT :limit))
  RETURNING id
)
DELETE FROM background_events WHERE response_id IN (SELECT id FROM old)
