-- name: insert_project_row :one
-- type billingMode: BillingMode from domain/identity
-- type unsupportedParameters: UnsupportedParameters from domain/identity
INSERT INTO projects (id, account_id, owner_id, name, description, billing_mode, markup_percentage, publishable_claims,
  response_cache, response_storage, unsupported_parameters, mcp_for_customers, portal_color, portal_origins, created_at, updated_at)
VALUES (:id, :account_id, :owner_id, :name, :description?, :billing_mode, :markup_percentage, :publishable_claims,
  :response_cache, :response_storage?, :unsupported_parameters, :mcp_for_customers, :portal_color?, :portal_origins, :created_at,
  :created_at)
RETURNING id, account_id AS "accountId", owner_id AS "ownerId", name, description, billing_mode AS "billingMode",
  markup_percentage AS "markupPercentage", publishable_claims AS "publishableClaims", response_cache AS "responseCache",
  response_storage AS "responseStorage", unsupported_parameters AS "unsupportedParameters",
  mcp_for_customers AS "mcpForCustomers", portal_color AS "portalColor", portal_origins AS "portalOrigins",
  created_at AS "createdAt", updated_at AS "updatedAt";

-- name: change_project :execrows
-- Keeps what is null. Columns that may become null have a `sets_…` beside them.
UPDATE projects
SET name = coalesce(:name?, name), billing_mode = coalesce(:billing_mode?, billing_mode),
  description = CASE WHEN :sets_description THEN :description? ELSE description END,
  markup_percentage = coalesce(:markup_percentage?, markup_percentage),
  publishable_claims = coalesce(:publishable_claims?, publishable_claims),
  response_cache = coalesce(:response_cache?, response_cache),
  response_storage = CASE WHEN :sets_response_storage THEN :response_storage? ELSE response_storage END,
  unsupported_parameters = coalesce(:unsupported_parameters?, unsupported_parameters),
  mcp_for_customers = coalesce(:mcp_for_customers?, mcp_for_customers),
  portal_color = CASE WHEN :sets_portal_color THEN :portal_color? ELSE portal_color END,
  portal_origins = coalesce(:portal_origins?, portal_origins), updated_at = :at
WHERE id = :project_id AND account_id = :account_id AND deleted_at IS NULL
