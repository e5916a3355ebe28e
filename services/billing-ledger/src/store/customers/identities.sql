-- name: link_identity :execrows
-- Links the identity, or marks its link as proven, unless it is linked to another customer.
INSERT INTO customer_identities AS i (project_id, provider, subject, customer_id, is_proven)
VALUES (:project_id, :provider, :subject, :customer_id, :is_proven)
ON CONFLICT (project_id, provider, subject) DO UPDATE SET is_proven = i.is_proven OR excluded.is_proven
WHERE i.customer_id = excluded.customer_id
