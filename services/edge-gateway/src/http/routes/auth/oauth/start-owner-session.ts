import { AppError } from '@tollgate/errors';
import type { Context } from '../../../../context.js';
import { recordAudit, signedIn } from '../../../../operations/record-audit.js';
import type { IdentitySignIn, NewOwner } from '../../../../operations/sign-in/sign-in-with-identity.js';
import { type SessionTokens, startSession } from '../../../../operations/tokens/start-session.js';
import type { User } from '../../../../store/users.js';
import type { CallbackInput } from './oauth-parts.js';

export interface OwnerSession {
  user: User;
  projectId: string;
  tokens: SessionTokens;
}

/** Starts the session of an owner whom a provider has identified, and writes it to the audit log. */
export async function startOwnerSession(
  ctx: Pick<Context, 'clock' | 'config' | 'directory' | 'logger' | 'pool' | 'tokens'>,
  outcome: Extract<IdentitySignIn<NewOwner>, { kind: 'known' | 'registered' }>,
  { address, call: { requestId } }: Pick<CallbackInput, 'address' | 'call'>,
): Promise<OwnerSession> {
  const user = outcome.kind === 'known' ? outcome.user : outcome.owner.user;
  const owner = await ctx.directory.owner(user.id);
  if (!owner) throw new AppError('UNAUTHORIZED', 'invalid credentials');
  const { projectId } = owner.project;
  const tokens = await startSession(ctx, user.id, projectId);
  const entry = signedIn(user, address, requestId);
  await recordAudit(ctx, outcome.kind === 'known' ? entry : { ...entry, action: 'account.registered' });
  return { user, projectId, tokens };
}
