import { randomUUID } from 'node:crypto';
import { AppError, invariant } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { customerTokenTtlSeconds } from '../../domain/customer-token-ttl.js';

export interface CustomerTokenInput {
  by: { case: 'customerId'; value: string } | { case: 'externalId'; value: string };
  tierCode?: string | undefined;
  ttlSeconds?: number | undefined;
}

export interface CustomerToken {
  sessionId: string;
  token: string;
  expiresAt: Date;
  ttlSeconds: number;
  customerId: string;
  externalId: string;
  /** Empty in projects that bill outside Tollgate. */
  tierCode: string;
  billingProfileId: string;
}

/**
 * Mints a token for one customer of the secret key's project. Billing finds the customer and, when a tier is named and
 * allowed, subscribes it.
 *
 * @throws AppError FORBIDDEN for a spend-limited key, because the token's spending would bypass the limit
 */
export async function mintCustomerToken(
  ctx: Pick<Context, 'clients' | 'customers' | 'tokens'>,
  input: CustomerTokenInput,
  call: Call,
): Promise<CustomerToken> {
  const key = call.requirePrincipal();
  if (key.keySpendLimitMicrocents !== undefined) {
    throw new AppError('FORBIDDEN', 'a spend-limited key cannot mint customer tokens');
  }
  const prepared = await ctx.clients.billing.prepareCustomerToken(
    { by: input.by, tierCode: input.tierCode ?? '' },
    call,
  );
  const { customer, tierCode, billingProfileId, tokenMaxTtlSeconds } = prepared;
  invariant(customer, 'billing prepared a token without its customer');
  const tierMax = tokenMaxTtlSeconds === undefined ? undefined : Number(tokenMaxTtlSeconds);
  const ttlSeconds = customerTokenTtlSeconds(input.ttlSeconds, tierMax);
  const sessionId = randomUUID();
  const { token, expiresAt } = await ctx.tokens.sign(
    {
      typ: 'customer',
      sub: customer.id,
      sid: sessionId,
      pid: key.projectId,
      euid: customer.id,
      eext: customer.externalId,
      tier: tierCode,
    },
    ttlSeconds,
  );
  // Billing may just have subscribed the customer.
  ctx.customers.forget(key.projectId, customer.id);
  return {
    sessionId,
    token,
    expiresAt,
    ttlSeconds,
    customerId: customer.id,
    externalId: customer.externalId,
    tierCode,
    billingProfileId,
  };
}
