// Generated from customer-sessions.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertCustomerSessionInput {
  id: string;
  projectId: string;
  customerId: string;
  kind: string;
  userAgent: string | null;
  startedAt: Date;
  expiresAt: Date;
}

const INSERT_CUSTOMER_SESSION = `
  INSERT INTO customer_sessions (id, project_id, customer_id, kind, user_agent, started_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export async function insertCustomerSession(db: Queryable, input: InsertCustomerSessionInput): Promise<void> {
  await db.query({
    name: 'insert_customer_session',
    text: INSERT_CUSTOMER_SESSION,
    values: [
      input.id,
      input.projectId,
      input.customerId,
      input.kind,
      input.userAgent,
      input.startedAt,
      input.expiresAt,
    ],
  });
}

export interface InsertPortalLinkInput {
  codeHash: Uint8Array;
  projectId: string;
  customerId: string;
  returnUrl: string | null;
  expiresAt: Date;
}

const INSERT_PORTAL_LINK = `
  INSERT INTO portal_links (code_hash, project_id, customer_id, return_url, expires_at)
  VALUES ($1, $2, $3, $4, $5)`;

export async function insertPortalLink(db: Queryable, input: InsertPortalLinkInput): Promise<void> {
  await db.query({
    name: 'insert_portal_link',
    text: INSERT_PORTAL_LINK,
    values: [
      input.codeHash,
      input.projectId,
      input.customerId,
      input.returnUrl,
      input.expiresAt,
    ],
  });
}
