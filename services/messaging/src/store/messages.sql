-- name: insert_message_row :one
-- Returns nothing if the project has a message with the dedupe key.
INSERT INTO messages (id, project_id, customer_id, from_address, to_address, subject, body, thread_id, created_at, dedupe_key)
VALUES (:id, :project_id, :customer_id?, :from, :to, :subject, :body, :thread_id, :created_at, :dedupe_key?)
ON CONFLICT (project_id, dedupe_key) DO NOTHING
RETURNING id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at;

-- name: list_messages_in_order :many
-- unprepared: the plan depends on the filters
SELECT id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at
FROM messages
WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND (NOT :is_customer_client OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = :api OR to_address = :api)
  AND (:to?::text IS NULL OR to_address = :to?) AND (:thread_id?::uuid IS NULL OR thread_id = :thread_id?)
  AND (NOT :unread_only OR read_at IS NULL) AND (:after?::bigint IS NULL OR seq > :after?)
ORDER BY seq LIMIT :take OFFSET :skip;

-- name: list_newest_messages :many
-- unprepared: the plan depends on the filters, each of which has an index
SELECT id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at
FROM messages
WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND (NOT :is_customer_client OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = :api OR to_address = :api)
  AND (:to?::text IS NULL OR to_address = :to?) AND (:from?::text IS NULL OR from_address = :from?)
  AND (:thread_id?::uuid IS NULL OR thread_id = :thread_id?) AND (:of_customer?::uuid IS NULL OR customer_id = :of_customer?)
  AND (NOT :unread_only OR read_at IS NULL) AND (:before?::bigint IS NULL OR seq < :before?)
ORDER BY seq DESC LIMIT :limit;

-- name: mark_oldest_unread :many
-- Marks the oldest unread messages of a mailbox as read; skips rows that a concurrent call has locked.
WITH taken AS (
  UPDATE messages SET read_at = :at, read_key = :read_key?
  WHERE id IN (
    SELECT id FROM messages
    WHERE project_id = :project_id AND to_address = :to AND read_at IS NULL
      AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
    ORDER BY seq LIMIT :limit FOR UPDATE SKIP LOCKED)
  RETURNING id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at, seq
)
SELECT id AS "id!", project_id AS "project_id!", customer_id, from_address AS "from_address!", to_address AS "to_address!",
  subject AS "subject!", body AS "body!", thread_id AS "thread_id!", read_at, created_at AS "created_at!"
FROM taken ORDER BY seq
