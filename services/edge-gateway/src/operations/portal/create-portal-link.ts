import { randomBytes } from 'node:crypto';
import { AppError, invariant } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { formatPortalCode, hashPortalCode, PORTAL_LINK_TTL_MS } from '../../domain/portal-code.js';
import { insertPortalLink } from '../../store/portal-links.js';

export interface PortalLinkInput {
  customerId: string;
  returnUrl: string | undefined;
}

/**
 * Makes a link that opens the portal for one customer, once. Its code is in the fragment, which browsers send to no server.
 *
 * @throws AppError NOT_FOUND; FORBIDDEN for a spend-limited key, because the session's spending would bypass the limit
 */
export async function createPortalLink(
  ctx: Pick<Context, 'clients' | 'clock' | 'pool'>,
  { customerId, returnUrl = '' }: PortalLinkInput,
  call: Call,
): Promise<{ path: string; expiresAt: Date }> {
  const { projectId, keySpendLimitMicrocents } = call.requirePrincipal();
  if (keySpendLimitMicrocents !== undefined) {
    throw new AppError('FORBIDDEN', 'a spend-limited key cannot open the portal');
  }
  const { envelope } = await ctx.clients.billing.getCustomer({ by: { case: 'id', value: customerId } }, call);
  invariant(envelope?.customer, 'billing returned no customer');
  const code = formatPortalCode(randomBytes(32));
  const expiresAt = new Date(ctx.clock.nowMs() + PORTAL_LINK_TTL_MS);
  const link = { projectId, customerId: envelope.customer.id, returnUrl: returnUrl === '' ? null : returnUrl };
  await insertPortalLink(ctx.pool, { codeHash: hashPortalCode(code), ...link, expiresAt });
  return { path: `/portal/${projectId}#${code}`, expiresAt };
}
