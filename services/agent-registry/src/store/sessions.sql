-- name: insert_session_row :exec
INSERT INTO sessions (id, project_id, customer_id, metadata, tool_state, message_count, message_bytes, created_at, updated_at)
VALUES (:id, :project_id, :customer_id?, :metadata, :tool_state, 0, 0, :created_at, :created_at);

-- name: append_session_message :one
-- Returns nothing if the session is full or not in scope.
WITH session AS (
  -- The counter gives the message its place. The lock on the row serializes concurrent appends.
  UPDATE sessions
  SET message_count = message_count + 1, message_bytes = message_bytes + :content_bytes, updated_at = :created_at
  WHERE id = :session_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
    AND message_count < :messages_max AND message_bytes + :content_bytes <= :bytes_max
  RETURNING id, message_count
)
INSERT INTO session_messages (session_id, seq, id, role, content, run_id, created_at)
SELECT session.id, session.message_count, :message_id, :role, :content, :run_id?, :created_at FROM session
RETURNING seq;

-- name: insert_state_handle_row :exec
INSERT INTO state_handles (id, project_id, customer_id, created_at, expires_at)
VALUES (:id, :project_id, :customer_id?, :created_at, :expires_at?)
