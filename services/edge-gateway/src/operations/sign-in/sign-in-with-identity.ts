import { isAppError } from '@tollgate/errors';
import type { OAuthIdentity } from '../../auth/oauth-providers.js';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import { findUserByEmailKey, findUserByIdentity, type User } from '../../store/users.js';
import { type RegisteredOwner, registerOwner } from './register-owner.js';

export type IdentitySignIn =
  | { kind: 'known'; user: User }
  | { kind: 'registered'; owner: RegisteredOwner }
  /** The provider has verified no email, which an account requires. */
  | { kind: 'no_email' }
  /**
   * Another account has the email. The identity is not linked to it: a password registration does not prove ownership
   * of the address, so linking could share the account with an impostor.
   */
  | { kind: 'email_taken' };

/** Returns the user of an identity, or registers a new account for it. */
export async function signInWithIdentity(
  ctx: Pick<Context, 'clock' | 'config' | 'pool'>,
  identity: OAuthIdentity,
): Promise<IdentitySignIn> {
  const { provider, subject, email } = identity;
  const known = await findUserByIdentity(ctx.pool, provider, subject);
  if (known) return { kind: 'known', user: known };
  if (email === undefined) return { kind: 'no_email' };
  if (await findUserByEmailKey(ctx.pool, emailKey(email))) return findRegistered(ctx, identity);
  try {
    return { kind: 'registered', owner: await registerOwner(ctx, { email, identity: { provider, subject } }) };
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFLICT') throw error;
    return findRegistered(ctx, identity);
  }
}

/** The email is in use: by this identity, if a concurrent sign-in has just registered it, else by another account. */
async function findRegistered(
  ctx: Pick<Context, 'pool'>,
  { provider, subject }: OAuthIdentity,
): Promise<IdentitySignIn> {
  const user = await findUserByIdentity(ctx.pool, provider, subject);
  return user ? { kind: 'known', user } : { kind: 'email_taken' };
}
