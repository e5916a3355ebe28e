import { isAppError } from '@tollgate/errors';
import type { OAuthIdentity } from '../../auth/oauth-providers.js';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import type { Project } from '../../store/projects.js';
import { findUserByEmailKey, findUserByIdentity, type User } from '../../store/users.js';
import type { Registration } from './register-owner.js';

/** An account that was made for an identity. */
export interface NewOwner {
  user: User;
  project: Project;
}

export type IdentitySignIn<T extends NewOwner> =
  | { kind: 'known'; user: User }
  | { kind: 'registered'; owner: T }
  /** The provider has verified no email, which an account requires. */
  | { kind: 'no_email' }
  /**
   * Another account has the email. The identity is not linked to it: a password registration does not prove ownership
   * of the address, so linking could share the account with an impostor.
   */
  | { kind: 'email_taken' };

/** Returns the user of an identity, or registers a new account for it. */
export async function signInWithIdentity<T extends NewOwner>(
  ctx: Pick<Context, 'clock' | 'config' | 'pool'>,
  identity: OAuthIdentity,
  register: (ctx: Pick<Context, 'clock' | 'config' | 'pool'>, input: Registration) => Promise<T>,
): Promise<IdentitySignIn<T>> {
  const { provider, subject, email } = identity;
  const known = await findUserByIdentity(ctx.pool, provider, subject);
  if (known) return { kind: 'known', user: known };
  if (email === undefined) return { kind: 'no_email' };
  if (await findUserByEmailKey(ctx.pool, emailKey(email))) return findRegistered(ctx, identity);
  try {
    return { kind: 'registered', owner: await register(ctx, { email, identity: { provider, subject } }) };
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFLICT') throw error;
    return findRegistered(ctx, identity);
  }
}

/** The email is in use: by this identity, if a concurrent sign-in has just registered it, else by another account. */
async function findRegistered(
  ctx: Pick<Context, 'pool'>,
  { provider, subject }: OAuthIdentity,
): Promise<IdentitySignIn<never>> {
  const user = await findUserByIdentity(ctx.pool, provider, subject);
  return user ? { kind: 'known', user } : { kind: 'email_taken' };
}
