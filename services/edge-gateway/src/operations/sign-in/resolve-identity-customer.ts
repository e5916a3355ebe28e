import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { invariant, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { OAuthIdentity } from '../../auth/oauth-providers.js';
import type { Context } from '../../context.js';

/**
 * Returns the project's customer of a verified identity: the linked one, else the one with its email (which billing
 * links), else a new one. Returns undefined without an email or a project.
 */
export async function resolveIdentityCustomer(
  ctx: Pick<Context, 'clients' | 'directory'>,
  projectId: string,
  identity: OAuthIdentity,
  call: Call,
): Promise<string | undefined> {
  const project = await ctx.directory.project(projectId);
  const { provider, subject, email } = identity;
  if (!project || email === undefined) return undefined;
  const { accountId, byob } = project;
  const principal = createMessage(PrincipalSchema, { kind: PrincipalKind.SYSTEM, accountId, projectId, byob });
  const scoped = call.with({ principal });
  const claim = { email, provider, subject };
  const { billing } = ctx.clients;
  try {
    return requireId((await billing.claimCustomer(claim, scoped)).envelope);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
  }
  await billing.upsertCustomer({ externalId: `${provider}:${subject}`, email }, scoped);
  return requireId((await billing.claimCustomer(claim, scoped)).envelope);
}

function requireId(envelope: { customer?: { id: string } | undefined } | undefined): string {
  invariant(envelope?.customer, 'billing answered without the customer');
  return envelope.customer.id;
}
