import type { Tx } from '@tollgate/postgres';
import * as sql from '../gen/customers/identities.js';

/** A person at an identity provider, within one project. */
export interface Identity {
  projectId: string;
  provider: string;
  subject: string;
}

export interface LinkedCustomer {
  customer_id: string;
  email: string;
  is_proven: boolean;
}

const toValues = ({ projectId, provider, subject }: Identity) => [projectId, provider, subject];

/** Finds and locks the identity's link. */
export async function findLinkedCustomer(tx: Tx, identity: Identity): Promise<LinkedCustomer | undefined> {
  const { rows } = await tx.query<LinkedCustomer>(
    `SELECT i.customer_id, c.email, i.is_proven
     FROM customer_identities i JOIN customers c ON c.id = i.customer_id
     WHERE i.project_id = $1 AND i.provider = $2 AND i.subject = $3 FOR UPDATE OF i`,
    toValues(identity),
  );
  return rows[0];
}

/** Links the identity or marks its link as proven. Returns false if it is linked to another customer. */
export async function linkIdentity(
  tx: Tx,
  identity: Identity,
  customerId: string,
  isProven: boolean,
): Promise<boolean> {
  return (await sql.linkIdentity(tx, { ...identity, customerId, isProven })) === 1;
}

export async function unlinkIdentity(tx: Tx, identity: Identity): Promise<void> {
  await tx.query(
    'DELETE FROM customer_identities WHERE project_id = $1 AND provider = $2 AND subject = $3',
    toValues(identity),
  );
}

const WITH_EMAIL = 'c.project_id = $1 AND lower(c.email) = lower($2)';

/** Locks all customers with the email: claims of one address are serialized, so each sees the links of earlier ones. */
export async function lockCustomersWithEmail(tx: Tx, projectId: string, email: string): Promise<void> {
  await tx.query(`SELECT 1 FROM customers c WHERE ${WITH_EMAIL} ORDER BY c.created_at, c.id FOR UPDATE`, [
    projectId,
    email,
  ]);
}

/**
 * Finds the oldest customer with the email that has no identity of the provider; with `besideProvenOnly`, unproven
 * identities do not count. The caller has locked the customers with the email.
 */
export async function findUnclaimedCustomer(
  tx: Tx,
  { projectId, provider }: Identity,
  email: string,
  { besideProvenOnly }: { besideProvenOnly: boolean },
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT c.id FROM customers c WHERE ${WITH_EMAIL}
       AND NOT EXISTS (SELECT 1 FROM customer_identities i
                       WHERE i.customer_id = c.id AND i.provider = $3 AND (i.is_proven OR NOT $4))
     ORDER BY c.created_at, c.id LIMIT 1`,
    [projectId, email, provider, besideProvenOnly],
  );
  return rows[0]?.id;
}
