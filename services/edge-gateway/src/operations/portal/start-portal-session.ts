import { randomUUID } from 'node:crypto';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../../context.js';
import type { CustomerInfo, PortalSettings } from '../../domain/identity.js';
import { hashPortalCode, PORTAL_SESSION_TTL_SECONDS } from '../../domain/portal-code.js';
import { insertCustomerSession } from '../../store/customer-sessions.js';
import { deletePortalLink, findPortalLink } from '../../store/portal-links.js';

export interface PortalSession {
  id: string;
  token: string;
  expiresAt: Date;
  returnUrl: string | null;
  projectId: string;
  portal: PortalSettings;
}

type Parts = Pick<Context, 'clock' | 'customers' | 'directory' | 'pool' | 'revocations' | 'tokens'>;

/** Opens a link, once. Returns undefined when it was opened before, has expired, or belongs to another project. */
export async function startPortalSession(
  ctx: Parts,
  { projectId, code, userAgent }: { projectId: string; code: string; userAgent: string | null },
): Promise<PortalSession | undefined> {
  const codeHash = hashPortalCode(code);
  const link = await findPortalLink(ctx.pool, codeHash, projectId, ctx.clock.now());
  const portal = link && (await ctx.directory.portal(projectId));
  const customer = portal && (await findLinkedCustomer(ctx, projectId, link.customerId));
  if (!customer) return undefined;
  // The last step that may refuse: a failure before it leaves the link usable.
  if (!(await deletePortalLink(ctx.pool, codeHash))) return undefined;
  const id = randomUUID();
  const { customerId, externalId, tierCode } = customer;
  const subject = { sub: customerId, pid: projectId, euid: customerId, eext: externalId, tier: tierCode };
  const { token, expiresAt } = await ctx.tokens.sign(
    { typ: 'customer', sid: id, ...subject, scope: 'portal' },
    PORTAL_SESSION_TTL_SECONDS,
  );
  const session = { id, projectId, customerId, kind: 'portal' as const, userAgent };
  await insertCustomerSession(ctx.pool, { ...session, startedAt: ctx.clock.now(), expiresAt });
  return { id, token, expiresAt, returnUrl: link.returnUrl, projectId, portal };
}

async function findLinkedCustomer(
  ctx: Parts,
  projectId: string,
  customerId: string,
): Promise<CustomerInfo | undefined> {
  const project = await ctx.directory.project(projectId);
  if (!project || ctx.revocations.has(projectId) || ctx.revocations.has(customerId)) return undefined;
  const { accountId, byob } = project;
  const asker = createMessage(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, accountId, projectId, byob });
  return ctx.customers.find(asker, customerId);
}
