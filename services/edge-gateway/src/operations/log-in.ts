import type { Context } from '../context.js';
import { emailKey } from '../domain/email.js';
import { findUserByEmailKey, type User } from '../store/users.js';
import { isPasswordOf } from './passwords.js';

/** The user whose e-mail and password these are; undefined for any other pair. */
export async function logIn(ctx: Context, email: string, password: string): Promise<User | undefined> {
  const user = await findUserByEmailKey(ctx.db, emailKey(email));
  const isProven = await isPasswordOf(user?.passwordHash, password);
  return user && isProven ? user : undefined;
}
