import type { ClaimCustomerRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { claimFaults } from '../../domain/customer-input.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import {
  findLinkedCustomer,
  findUnclaimedCustomer,
  linkIdentity,
  lockCustomersWithEmail,
  unlinkIdentity,
} from '../../store/customers/identities.js';
import { findCustomer } from './find-customer.js';

/**
 * Links an external identity to a customer with this email, ignoring case: the oldest one without an identity of the
 * provider (DECISIONS 3.1). Repeating the claim returns the same customer.
 *
 * A sign-in at the provider (SYSTEM) proves identity and email; a claim by publishable key does not. A sign-in follows a
 * proven link even if the email changed. It drops its own unproven link to a customer with another email, and it may
 * claim a customer that has only unproven links.
 */
export async function claimCustomer(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  req: ClaimCustomerRequest,
): Promise<CustomerRecord> {
  const { projectId } = principal;
  const faults = claimFaults(req);
  if (faults.length > 0)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field} ${faults[0]?.message}`, { fields: faults });
  const id = await withTransaction(ctx.pool, (tx) => claim(tx, principal, req));
  return findCustomer(ctx, projectId, { case: 'id', value: id });
}

async function claim(tx: Tx, { projectId, kind }: Principal, req: ClaimCustomerRequest): Promise<string> {
  const isSignIn = kind === PrincipalKind.SYSTEM;
  const identity = { projectId, provider: req.provider, subject: req.subject };
  const isProven = kind !== PrincipalKind.PUBLISHABLE_KEY;
  // Before the link is read: of equal claims at the same time, the later ones must see the link of the first.
  await lockCustomersWithEmail(tx, projectId, req.email);
  const linked = await findLinkedCustomer(tx, identity);
  if (linked) {
    const isSameEmail = linked.email.toLowerCase() === req.email.toLowerCase();
    if (isSameEmail || (isSignIn && linked.is_proven)) {
      if (isProven && !linked.is_proven) await linkIdentity(tx, identity, linked.customer_id, isProven);
      return linked.customer_id;
    }
    if (!isSignIn) throw alreadyLinked();
    await unlinkIdentity(tx, identity);
  }
  const customerId = await findUnclaimedCustomer(tx, identity, req.email, { besideProvenOnly: isSignIn });
  if (!customerId) throw new AppError('NOT_FOUND', 'customer not found');
  if (!(await linkIdentity(tx, identity, customerId, isProven))) throw alreadyLinked();
  return customerId;
}

function alreadyLinked(): AppError {
  return new AppError('CONFLICT', 'identity already linked to a different customer');
}
