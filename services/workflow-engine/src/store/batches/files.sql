-- name: insert_file :exec
INSERT INTO files (file_id, account_id, project_id, customer_id, purpose, filename, expires_at)
VALUES (:file_id, :account_id, :project_id, :customer_id?, :purpose, :filename, now() + :ttl_ms * interval '1 ms')

-- name: append_part :one
-- Stores a part of a file in progress, whose row it locks. Returns whose file it is; undefined when there is no such upload, or
-- the part is not the next or the last one, or the file would be larger than `bytes_max`.
WITH file AS (
  SELECT file_id, customer_id, parts, bytes
  FROM files
  WHERE file_id = :file_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
    AND expires_at > now() AND NOT is_complete AND parts IN (:part, :part + 1)
  FOR UPDATE
),
stored AS (
  INSERT INTO file_parts (file_id, part, body)
  SELECT file_id, :part, :body FROM file WHERE parts = :part AND bytes + octet_length(:body::bytea) <= :bytes_max::bigint
  RETURNING file_id
),
counted AS (
  UPDATE files SET parts = files.parts + 1, bytes = files.bytes + octet_length(:body::bytea)
  FROM stored
  WHERE files.file_id = stored.file_id
)
SELECT customer_id AS "customerId" FROM file WHERE EXISTS (SELECT FROM stored) OR parts = :part + 1

-- name: delete_upload :exec
-- Deletes an upload that is not complete.
DELETE FROM files
WHERE file_id = :file_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND expires_at > now() AND NOT is_complete

-- name: complete_file :one
-- Ends an upload that has all its parts. Completing it again returns the file again.
UPDATE files
SET is_complete = true, purpose = :purpose, filename = :filename,
  expires_at = CASE WHEN is_complete THEN expires_at ELSE created_at + :ttl_ms * interval '1 ms' END
WHERE file_id = :file_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND expires_at > now() AND parts = :parts AND (NOT is_complete OR (purpose = :purpose AND filename = :filename))
RETURNING file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes!", parts,
  created_at AS "createdAt", expires_at AS "expiresAt"

-- name: find_file :one
SELECT file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes!", parts,
  created_at AS "createdAt", expires_at AS "expiresAt"
FROM files
WHERE file_id = :file_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND expires_at > now() AND is_complete

-- name: list_oldest_files :many
-- Lists files by the time of their creation, which their ids start with.
SELECT file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes!", parts,
  created_at AS "createdAt", expires_at AS "expiresAt"
FROM files
WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?) AND expires_at > now()
  AND is_complete AND (:purpose = '' OR purpose = :purpose) AND (:after?::uuid IS NULL OR file_id > :after?)
ORDER BY file_id
LIMIT :limit::int

-- name: list_newest_files :many
SELECT file_id AS "fileId", customer_id AS "customerId", purpose, filename, bytes::float8 AS "bytes!", parts,
  created_at AS "createdAt", expires_at AS "expiresAt"
FROM files
WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?) AND expires_at > now()
  AND is_complete AND (:purpose = '' OR purpose = :purpose) AND (:after?::uuid IS NULL OR file_id < :after?)
ORDER BY file_id DESC
LIMIT :limit::int

-- name: delete_file :execrows
DELETE FROM files
WHERE file_id = :file_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND expires_at > now() AND is_complete
