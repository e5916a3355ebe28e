-- name: find_key_by_hashes :one
-- Finds a key by its hash under any pepper, unless it is revoked or its project is deleted: once per key, process and minute.
-- type kind: KeyKind from domain/api-key
-- type billingMode: BillingMode from domain/identity
-- type unsupportedParameters: UnsupportedParameters from domain/identity
SELECT k.id AS "keyId", k.kind, k.spend_limit_cents AS "spendLimitCents", k.expires_at AS "expiresAt",
  k.key_hash AS "keyHash", k.pepper_id AS "pepperId", p.id, p.account_id AS "accountId",
  p.billing_mode AS "billingMode", p.publishable_claims AS "publishableClaims", p.response_cache AS "responseCache",
  p.response_storage AS "responseStorage", p.unsupported_parameters AS "unsupportedParameters",
  p.mcp_for_customers AS "mcpForCustomers"
FROM api_keys k JOIN projects p ON p.id = k.project_id
WHERE (k.key_hash = ANY (:hashes::bytea[]) OR k.previous_key_hash = ANY (:hashes::bytea[]))
  AND k.revoked_at IS NULL AND p.deleted_at IS NULL;

-- name: insert_api_key :one
-- type kind: KeyKind from domain/api-key
INSERT INTO api_keys (id, project_id, kind, label, last4, key_hash, previous_key_hash, pepper_id, spend_limit_cents, expires_at,
                      created_at, issued_by)
VALUES (:id, :project_id, :kind, :label, :last4, :key_hash, :previous_key_hash?, :pepper_id, :spend_limit_cents?, :expires_at?,
        :created_at, :issued_by?)
RETURNING id, project_id AS "projectId", kind, label, last4, spend_limit_cents AS "spendLimitCents", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", created_at AS "createdAt";

-- name: update_api_key_row :one
-- Changes an active key of the account: its label unless null, its expiry if `sets_expiry`.
-- type kind: KeyKind from domain/api-key
UPDATE api_keys k
SET label = coalesce(:label?, label), expires_at = CASE WHEN :sets_expiry THEN :expires_at?::timestamptz ELSE expires_at END
FROM projects p
WHERE k.id = :key_id AND k.revoked_at IS NULL AND p.id = k.project_id AND p.account_id = :account_id AND p.deleted_at IS NULL
RETURNING k.id, k.project_id AS "projectId", k.kind, k.label, k.last4, k.spend_limit_cents AS "spendLimitCents",
  k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.created_at AS "createdAt";

-- name: find_key_issuer :one
-- Returns the user in the key's row, and otherwise the user whom the audit log or the sign-up names.
SELECT k.issued_by AS "issuedBy", coalesce(
  -- The audit event of a key is written after its creation, by the same request.
  (SELECT a.actor_id FROM audit_events a
   WHERE a.account_id = p.account_id AND a.subject_id = k.id::text AND a.actor_kind = 'user'
     AND a.action IN ('api_key.created', 'api_key.rotated')
     AND a.at BETWEEN k.created_at - interval '10 minutes' AND k.created_at + interval '10 minutes'
   ORDER BY a.at LIMIT 1),
  -- No member can have joined a project this soon: the key was created with it.
  CASE WHEN k.created_at <= p.created_at + interval '1 second' THEN p.owner_id::text END) AS derived
FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.id = :key_id
