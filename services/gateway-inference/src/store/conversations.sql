-- name: insert_conversation_row :one
INSERT INTO conversations (id, project_id, customer_id, metadata, next_position, items, bytes, created_at, expires_at)
VALUES (:id, :project_id, :customer_id?, :metadata, 0, 0, 0, :created_at, :expires_at)
RETURNING id, created_at AS "createdAt", metadata, items, bytes;

-- name: delete_conversations_of_caller :execrows
-- Deletes those beyond the limits, the ones used longest ago first.
DELETE FROM conversations WHERE id = ANY (ARRAY(
  SELECT id FROM (
    SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM conversations
    WHERE project_id = :project_id AND coalesce(customer_id, project_id) = :caller_id
    WINDOW newest AS (ORDER BY expires_at DESC, id ROWS UNBOUNDED PRECEDING)) ranked
  WHERE place > :responses_max OR total > :bytes_max ORDER BY place DESC LIMIT :limit));

-- name: insert_conversation_items :exec
-- pack items: item_id text, item text, bytes int, place int
WITH added AS (
  INSERT INTO conversation_items (conversation_id, position, item_id, item, bytes, source_id)
  SELECT :conversation_id, :first::int + place, item_id, item, bytes, :source_id FROM :items AS made
  RETURNING bytes
)
UPDATE conversations
SET items = items + (SELECT count(*) FROM added), bytes = bytes + (SELECT coalesce(sum(bytes), 0) FROM added)
WHERE id = :conversation_id
