import { AppError } from '@tollgate/errors';
import { type Queryable, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { hashOneTimeCode } from '../../domain/members/one-time-code.js';
import { deleteOneTimeCodes, findCodeSubject } from '../../store/members/one-time-codes.js';
import { findUser, type User, updatePasswordHash } from '../../store/users.js';
import { hashPassword } from '../sign-in/passwords.js';
import { announceRevocation, writeUserRevocation } from '../tokens/revoke.js';

/** Replaces a password by the code of a mail, once. Ends every session of the user, on every edge. @throws AppError NOT_FOUND */
export async function resetPassword(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'revocations'>,
  input: { code: string; password: string },
): Promise<User> {
  const hash = hashOneTimeCode(input.code);
  // Before the hash of the password, which costs much more.
  await requireCode(ctx.pool, hash, ctx.clock.now());
  const passwordHash = await hashPassword(input.password);
  const { user, sessionIds } = await withTransaction(ctx.pool, async (tx) => {
    const userId = await requireCode(tx, hash, ctx.clock.now());
    // Locks the user, so that the second of two concurrent requests finds no code.
    await updatePasswordHash(tx, userId, passwordHash);
    await requireCode(tx, hash, ctx.clock.now());
    await deleteOneTimeCodes(tx, 'password_reset', userId);
    return { user: (await findUser(tx, userId)) as User, sessionIds: await writeUserRevocation(ctx, tx, userId) };
  });
  for (const sessionId of sessionIds) announceRevocation(ctx, 'session', sessionId);
  return user;
}

async function requireCode(db: Queryable, hash: Buffer, at: Date): Promise<string> {
  const userId = await findCodeSubject(db, hash, 'password_reset', at);
  if (userId === undefined) throw new AppError('NOT_FOUND', 'the link was used or has expired; ask for another one');
  return userId;
}
