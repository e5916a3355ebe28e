import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

/**
 * Returns the principal acting for the customer that the body names by external id; the customer scope header does the
 * same by Tollgate's id. Without a customer, returns the principal unchanged.
 *
 * @throws AppError FORBIDDEN for a customer's token; NOT_FOUND; INVALID_INPUT when the header names another customer
 */
export async function asCustomer(
  ctx: Pick<Context, 'clients' | 'revocations'>,
  principal: Principal,
  externalId: string | undefined,
  call: Call,
): Promise<Principal> {
  if (externalId === undefined) return principal;
  if (principal.kind !== PrincipalKind.SECRET_KEY) {
    throw new AppError('FORBIDDEN', 'customer_id is for secret keys only');
  }
  const { envelope } = await ctx.clients.billing.getCustomer(
    { by: { case: 'externalId', value: externalId } },
    call.with({ principal }),
  );
  const customer = envelope?.customer;
  if (!customer || ctx.revocations.has(customer.id)) throw new AppError('NOT_FOUND', 'customer not found');
  if (principal.customerId !== '' && principal.customerId !== customer.id) {
    throw new AppError('INVALID_INPUT', 'customer_id and X-Service-Customer-Id name different customers');
  }
  return createMessage(PrincipalSchema, {
    ...principal,
    customerId: customer.id,
    customerExternalId: customer.externalId,
    tierCode: envelope.subscription?.tierCode ?? '',
  });
}
