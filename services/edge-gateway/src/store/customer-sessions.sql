-- name: insert_customer_session :exec
INSERT INTO customer_sessions (id, project_id, customer_id, kind, user_agent, started_at, expires_at)
VALUES (:id, :project_id, :customer_id, :kind, :user_agent?, :started_at, :expires_at);

-- name: insert_portal_link :exec
INSERT INTO portal_links (code_hash, project_id, customer_id, return_url, expires_at)
VALUES (:code_hash, :project_id, :customer_id, :return_url?, :expires_at)
