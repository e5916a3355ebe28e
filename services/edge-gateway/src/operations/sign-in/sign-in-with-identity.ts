import type { OAuthIdentity } from '../../auth/oauth-providers.js';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import { findUserByEmailKey, findUserByIdentity, type User } from '../../store/users.js';
import { type RegisteredOwner, registerOwner } from './register-owner.js';

export type IdentitySignIn =
  | { kind: 'known'; user: User }
  | { kind: 'registered'; owner: RegisteredOwner }
  /** The provider vouches for no e-mail, without which there is no account. */
  | { kind: 'no_email' }
  /**
   * Another sign-in has the e-mail. It is not joined to it: whoever registered an address with a password has not proven
   * that it is theirs, and would share the account of the person who has.
   */
  | { kind: 'email_taken' };

/** The user of an identity, or a new account for it. */
export async function signInWithIdentity(ctx: Context, identity: OAuthIdentity): Promise<IdentitySignIn> {
  const { provider, subject, email } = identity;
  const known = await findUserByIdentity(ctx.db, provider, subject);
  if (known) return { kind: 'known', user: known };
  if (email === undefined) return { kind: 'no_email' };
  if (await findUserByEmailKey(ctx.db, emailKey(email))) return { kind: 'email_taken' };
  return { kind: 'registered', owner: await registerOwner(ctx, { email, identity: { provider, subject } }) };
}
