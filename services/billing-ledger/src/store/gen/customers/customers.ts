// Generated from customers/customers.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertCustomerInput {
  id: string;
  projectId: string;
  accountId: string;
  externalId: string;
  email: string;
  metadata: string;
}

export interface InsertCustomerRow {
  id: string;
  project_id: string;
  external_id: string;
  email: string;
  metadata: unknown;
  created_at: Date;
  updated_at: Date;
  tier_id: string | null;
  tier_code: string | null;
}

const INSERT_CUSTOMER = `
  INSERT INTO customers (id, project_id, account_id, external_id, email, metadata)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (project_id, external_id) DO NOTHING
  RETURNING id, project_id, external_id, email, metadata, created_at, updated_at, NULL::uuid AS tier_id, NULL::text AS tier_code`;

/** Returns nothing if the project has a customer with this external id. */
export async function insertCustomer(db: Queryable, input: InsertCustomerInput): Promise<InsertCustomerRow | undefined> {
  const { rows } = await db.query<InsertCustomerRow>({
    name: 'insert_customer',
    text: INSERT_CUSTOMER,
    values: [
      input.id,
      input.projectId,
      input.accountId,
      input.externalId,
      input.email,
      input.metadata,
    ],
  });
  return rows[0];
}

export interface ChangeCustomerInput {
  email: string | null;
  metadata: string | null;
  isBlocked: boolean | null;
  projectId: string;
  id: string;
}

export interface ChangeCustomerRow {
  id: string;
  project_id: string;
  external_id: string;
  email: string;
  metadata: unknown;
  created_at: Date;
  updated_at: Date;
  tier_id: string | null;
  tier_code: string | null;
}

const CHANGE_CUSTOMER = `
  WITH c AS (
    UPDATE customers
    SET email = coalesce($1, email), metadata = coalesce($2::jsonb, metadata),
      blocked_at = CASE $3::boolean WHEN true THEN coalesce(blocked_at, now()) WHEN false THEN NULL ELSE blocked_at END,
      updated_at = now()
    WHERE project_id = $4 AND id = $5
    RETURNING id, project_id, external_id, email, metadata, created_at, updated_at
  )
  SELECT c.id AS "id", c.project_id AS "project_id", c.external_id AS "external_id", c.email AS "email", c.metadata,
    c.created_at AS "created_at", c.updated_at AS "updated_at", s.tier_id, t.tier_code
  FROM c
  LEFT JOIN subscriptions s ON s.customer_id = c.id
  LEFT JOIN tiers t ON t.id = s.tier_id`;

/** Updates by id and keeps what is null. */
export async function changeCustomer(db: Queryable, input: ChangeCustomerInput): Promise<ChangeCustomerRow | undefined> {
  const { rows } = await db.query<ChangeCustomerRow>({
    name: 'change_customer',
    text: CHANGE_CUSTOMER,
    values: [
      input.email,
      input.metadata,
      input.isBlocked,
      input.projectId,
      input.id,
    ],
  });
  return rows[0];
}
