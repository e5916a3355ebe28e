import type { ClaimCustomerRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { claimFaults } from '../domain/customer-input.js';
import type { CustomerRecord } from './customer-envelope.js';
import { findCustomer } from './find-customer.js';

/**
 * Links an outside identity to the customer with this e-mail: matched without regard to case, the oldest customer that
 * has no identity of this provider first (DECISIONS 3.1). The same claim again answers the same customer.
 */
export async function claimCustomer(
  ctx: Context,
  principal: Principal,
  req: ClaimCustomerRequest,
): Promise<CustomerRecord> {
  const { projectId } = principal;
  const faults = claimFaults(req);
  if (faults.length > 0)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field} ${faults[0]?.message}`, { fields: faults });
  const id = await withTransaction(ctx.pool, async (tx) => {
    const linked = await tx.query<{ customer_id: string; email: string }>(
      `SELECT i.customer_id, c.email FROM customer_identities i JOIN customers c ON c.id = i.customer_id
       WHERE i.project_id = $1 AND i.provider = $2 AND i.subject = $3`,
      [projectId, req.provider, req.subject],
    );
    const owner = linked.rows[0];
    if (owner) {
      if (owner.email.toLowerCase() === req.email.toLowerCase()) return owner.customer_id;
      throw new AppError('CONFLICT', 'identity already linked to a different customer');
    }
    const customerId = await unclaimedCustomer(tx, projectId, req);
    if (!customerId) throw new AppError('NOT_FOUND', 'customer not found');
    const inserted = await tx.query(
      `INSERT INTO customer_identities (project_id, provider, subject, customer_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [projectId, req.provider, req.subject, customerId],
    );
    if (inserted.rowCount === 0) throw new AppError('CONFLICT', 'identity already linked to a different customer');
    return customerId;
  });
  return findCustomer(ctx, projectId, { case: 'id', value: id });
}

/**
 * Everybody with the e-mail is locked first: claims of one address go one after another, so each sees what the one before
 * has linked, and two new identities never end at one customer while another is free.
 */
async function unclaimedCustomer(tx: Tx, projectId: string, req: ClaimCustomerRequest): Promise<string | undefined> {
  const matching = 'c.project_id = $1 AND lower(c.email) = lower($2)';
  await tx.query(`SELECT 1 FROM customers c WHERE ${matching} ORDER BY c.created_at, c.id FOR UPDATE`, [
    projectId,
    req.email,
  ]);
  const { rows } = await tx.query<{ id: string }>(
    `SELECT c.id FROM customers c WHERE ${matching}
       AND NOT EXISTS (SELECT 1 FROM customer_identities i WHERE i.customer_id = c.id AND i.provider = $3)
     ORDER BY c.created_at, c.id LIMIT 1`,
    [projectId, req.email, req.provider],
  );
  return rows[0]?.id;
}
