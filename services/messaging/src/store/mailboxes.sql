-- name: list_mailboxes_after :many
-- Steps from one address to the next in the index, so that a page costs the same in a project with millions of messages. Counts at most
-- 1,000 unread messages of each mailbox.
-- unprepared: unread messages have an index of their own
WITH RECURSIVE mailboxes AS (
  (SELECT to_address AS address, 1 AS number FROM (
     SELECT to_address FROM messages
     WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
       AND (NOT :is_customer_client OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = :api OR to_address = :api)
       AND (NOT :unread_only OR read_at IS NULL) AND to_address > :after ORDER BY to_address, seq LIMIT 1) first)
  UNION ALL
  SELECT (
    SELECT to_address FROM messages
    WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
      AND (NOT :is_customer_client OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = :api OR to_address = :api)
      AND (NOT :unread_only OR read_at IS NULL) AND to_address > mailboxes.address ORDER BY to_address, seq LIMIT 1), number + 1
  FROM mailboxes WHERE address IS NOT NULL AND number < :limit
)
SELECT address AS "address!", unread_count AS "unreadCount!", created_at AS "lastMessageAt!", subject AS "lastSubject!"
FROM mailboxes,
  LATERAL (
    SELECT created_at, subject FROM messages
    WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
      AND (NOT :is_customer_client OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = :api OR to_address = :api)
      AND to_address = address
    ORDER BY seq DESC LIMIT 1) newest,
  LATERAL (SELECT count(*)::int AS unread_count FROM (
    SELECT 1 FROM messages
    WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
      AND (NOT :is_customer_client OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = :api OR to_address = :api)
      AND to_address = address AND read_at IS NULL
    LIMIT 1000) unread) counted
WHERE address IS NOT NULL ORDER BY address
