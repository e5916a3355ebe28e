-- name: insert_customer :one
-- Returns nothing if the project has a customer with this external id.
INSERT INTO customers (id, project_id, account_id, external_id, email, metadata)
VALUES (:id, :project_id, :account_id, :external_id, :email, :metadata)
ON CONFLICT (project_id, external_id) DO NOTHING
RETURNING id, project_id, external_id, email, metadata, created_at, updated_at, NULL::uuid AS tier_id, NULL::text AS tier_code

-- name: change_customer :one
-- Updates by id and keeps what is null.
WITH c AS (
  UPDATE customers
  SET email = coalesce(:email?, email), metadata = coalesce(:metadata?::jsonb, metadata),
    blocked_at = CASE :is_blocked?::boolean WHEN true THEN coalesce(blocked_at, now()) WHEN false THEN NULL ELSE blocked_at END,
    updated_at = now()
  WHERE project_id = :project_id AND id = :id
  RETURNING id, project_id, external_id, email, metadata, created_at, updated_at
)
SELECT c.id AS "id!", c.project_id AS "project_id!", c.external_id AS "external_id!", c.email AS "email!", c.metadata,
  c.created_at AS "created_at!", c.updated_at AS "updated_at!", s.tier_id, t.tier_code
FROM c
LEFT JOIN subscriptions s ON s.customer_id = c.id
LEFT JOIN tiers t ON t.id = s.tier_id
