// Generated from projects.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { BillingMode, UnsupportedParameters } from '../../domain/identity.js';

export interface InsertProjectRowInput {
  id: string;
  accountId: string;
  ownerId: string;
  name: string;
  description: string | null;
  billingMode: string;
  markupPercentage: number;
  publishableClaims: boolean;
  responseCache: boolean;
  responseStorage: boolean | null;
  unsupportedParameters: string;
  mcpForCustomers: boolean;
  portalColor: string | null;
  portalOrigins: readonly (string | null)[];
  createdAt: Date;
}

export interface InsertProjectRowRow {
  id: string;
  accountId: string;
  ownerId: string;
  name: string;
  description: string | null;
  billingMode: BillingMode;
  markupPercentage: number;
  publishableClaims: boolean;
  responseCache: boolean;
  responseStorage: boolean | null;
  unsupportedParameters: UnsupportedParameters;
  mcpForCustomers: boolean;
  portalColor: string | null;
  portalOrigins: string[];
  createdAt: Date;
  updatedAt: Date;
}

const INSERT_PROJECT_ROW = `
  INSERT INTO projects (id, account_id, owner_id, name, description, billing_mode, markup_percentage, publishable_claims,
    response_cache, response_storage, unsupported_parameters, mcp_for_customers, portal_color, portal_origins, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    $9, $10, $11, $12, $13, $14, $15,
    $15)
  RETURNING id, account_id AS "accountId", owner_id AS "ownerId", name, description, billing_mode AS "billingMode",
    markup_percentage AS "markupPercentage", publishable_claims AS "publishableClaims", response_cache AS "responseCache",
    response_storage AS "responseStorage", unsupported_parameters AS "unsupportedParameters",
    mcp_for_customers AS "mcpForCustomers", portal_color AS "portalColor", portal_origins AS "portalOrigins",
    created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function insertProjectRow(db: Queryable, input: InsertProjectRowInput): Promise<InsertProjectRowRow | undefined> {
  const { rows } = await db.query<InsertProjectRowRow>({
    name: 'insert_project_row',
    text: INSERT_PROJECT_ROW,
    values: [
      input.id,
      input.accountId,
      input.ownerId,
      input.name,
      input.description,
      input.billingMode,
      input.markupPercentage,
      input.publishableClaims,
      input.responseCache,
      input.responseStorage,
      input.unsupportedParameters,
      input.mcpForCustomers,
      input.portalColor,
      input.portalOrigins,
      input.createdAt,
    ],
  });
  return rows[0];
}

export interface ChangeProjectInput {
  name: string | null;
  billingMode: string | null;
  setsDescription: boolean;
  description: string | null;
  markupPercentage: number | null;
  publishableClaims: boolean | null;
  responseCache: boolean | null;
  setsResponseStorage: boolean;
  responseStorage: boolean | null;
  unsupportedParameters: string | null;
  mcpForCustomers: boolean | null;
  setsPortalColor: boolean;
  portalColor: string | null;
  portalOrigins: readonly (string | null)[] | null;
  at: Date;
  projectId: string;
  accountId: string;
}

const CHANGE_PROJECT = `
  UPDATE projects
  SET name = coalesce($1, name), billing_mode = coalesce($2, billing_mode),
    description = CASE WHEN $3 THEN $4 ELSE description END,
    markup_percentage = coalesce($5, markup_percentage),
    publishable_claims = coalesce($6, publishable_claims),
    response_cache = coalesce($7, response_cache),
    response_storage = CASE WHEN $8 THEN $9 ELSE response_storage END,
    unsupported_parameters = coalesce($10, unsupported_parameters),
    mcp_for_customers = coalesce($11, mcp_for_customers),
    portal_color = CASE WHEN $12 THEN $13 ELSE portal_color END,
    portal_origins = coalesce($14, portal_origins), updated_at = $15
  WHERE id = $16 AND account_id = $17 AND deleted_at IS NULL`;

/** Keeps what is null. Columns that may become null have a `sets_…` beside them. */
export async function changeProject(db: Queryable, input: ChangeProjectInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'change_project',
    text: CHANGE_PROJECT,
    values: [
      input.name,
      input.billingMode,
      input.setsDescription,
      input.description,
      input.markupPercentage,
      input.publishableClaims,
      input.responseCache,
      input.setsResponseStorage,
      input.responseStorage,
      input.unsupportedParameters,
      input.mcpForCustomers,
      input.setsPortalColor,
      input.portalColor,
      input.portalOrigins,
      input.at,
      input.projectId,
      input.accountId,
    ],
  });
  return rowCount ?? 0;
}
