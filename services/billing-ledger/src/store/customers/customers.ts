import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/customers/customers.js';

export interface CustomerRow {
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

export interface CustomerValues {
  id: string;
  projectId: string;
  accountId: string;
  externalId: string;
  email: string;
  metadataJson?: string | undefined;
}

const COLUMNS = 'id, project_id, external_id, email, metadata, created_at, updated_at';

/** Returns undefined if the project has a customer with this external id. */
export async function insertCustomer(tx: Queryable, values: CustomerValues): Promise<CustomerRow | undefined> {
  const { metadataJson: metadata = '{}', ...columns } = values;
  return sql.insertCustomer(tx, { ...columns, metadata });
}

/** Updates by external id and keeps absent metadata. Returns undefined if there is no such customer. */
export async function updateCustomer(tx: Queryable, values: CustomerValues): Promise<CustomerRow | undefined> {
  const { rows } = await tx.query<CustomerRow>(
    `WITH c AS (
       UPDATE customers SET email = $3, metadata = coalesce($4::jsonb, metadata), updated_at = now()
       WHERE project_id = $1 AND external_id = $2 RETURNING ${COLUMNS})
     SELECT c.*, s.tier_id, t.tier_code FROM c LEFT JOIN subscriptions s ON s.customer_id = c.id LEFT JOIN tiers t ON t.id = s.tier_id`,
    [values.projectId, values.externalId, values.email, values.metadataJson ?? null],
  );
  return rows[0];
}

/** Updates by id and keeps what is absent. Returns undefined if the project has no such customer. */
export async function changeCustomer(
  tx: Queryable,
  values: Pick<CustomerValues, 'projectId' | 'id' | 'metadataJson'> & {
    email: string | undefined;
    blocked: boolean | undefined;
  },
): Promise<CustomerRow | undefined> {
  return sql.changeCustomer(tx, {
    projectId: values.projectId,
    id: values.id,
    email: values.email ?? null,
    metadata: values.metadataJson ?? null,
    isBlocked: values.blocked ?? null,
  });
}

/** Deletes the record; journal, holds and usage remain. Returns undefined if the project has no such customer. */
export async function deleteCustomerRow(
  tx: Queryable,
  projectId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  const { rows } = await tx.query<CustomerRow>(
    `WITH old AS (
       SELECT c.${COLUMNS.replaceAll(', ', ', c.')}, s.tier_id, t.tier_code FROM customers c
       LEFT JOIN subscriptions s ON s.customer_id = c.id LEFT JOIN tiers t ON t.id = s.tier_id
       WHERE c.id = $2 AND c.project_id = $1 FOR UPDATE OF c), deleted AS (
       DELETE FROM customers WHERE id IN (SELECT id FROM old))
     SELECT * FROM old`,
    [projectId, id],
  );
  return rows[0];
}

/** Prevents the customer's deletion until the transaction ends. Returns false if it was deleted. */
export async function keepCustomer(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT 1 FROM customers WHERE id = $1 FOR KEY SHARE', [id]);
  return rowCount === 1;
}

/** Locks the customer's row to serialize changes of its subscription. */
export async function lockCustomer(tx: Queryable, projectId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT 1 FROM customers WHERE id = $2 AND project_id = $1 FOR UPDATE', [
    projectId,
    id,
  ]);
  return rowCount === 1;
}
