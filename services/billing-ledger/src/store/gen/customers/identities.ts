// Generated from customers/identities.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface LinkIdentityInput {
  projectId: string;
  provider: string;
  subject: string;
  customerId: string;
  isProven: boolean;
}

const LINK_IDENTITY = `
  INSERT INTO customer_identities AS i (project_id, provider, subject, customer_id, is_proven)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (project_id, provider, subject) DO UPDATE SET is_proven = i.is_proven OR excluded.is_proven
  WHERE i.customer_id = excluded.customer_id`;

/** Links the identity, or marks its link as proven, unless it is linked to another customer. */
export async function linkIdentity(db: Queryable, input: LinkIdentityInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'link_identity',
    text: LINK_IDENTITY,
    values: [
      input.projectId,
      input.provider,
      input.subject,
      input.customerId,
      input.isProven,
    ],
  });
  return rowCount ?? 0;
}
