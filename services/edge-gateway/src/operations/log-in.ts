import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { emailKey } from '../domain/email.js';
import { lockoutMs } from '../domain/lockout.js';
import { countSignInFailure, forgetSignInFailures, lockSignIn, readLockedUntil } from '../store/sign-in-failures.js';
import { findUserByEmailKey, type User } from '../store/users.js';
import { isPasswordOf } from './passwords.js';
import { recordAudit } from './record-audit.js';

export interface SignInAttempt {
  email: string;
  password: string;
  address: string;
  requestId: string;
}

/**
 * The user whose e-mail and password these are; undefined for any other pair. E-mails without an account are counted and
 * locked like the others, so that neither answer nor delay tells which ones have one.
 *
 * @throws AppError RATE_LIMIT after too many wrong passwords in a row
 */
export async function logIn(ctx: Context, attempt: SignInAttempt): Promise<User | undefined> {
  const key = emailKey(attempt.email);
  const lockedUntil = await readLockedUntil(ctx.pool, key);
  if (lockedUntil) throw locked(lockedUntil.getTime() - ctx.clock.nowMs());
  const user = await findUserByEmailKey(ctx.db, key);
  const isProven = await isPasswordOf(user?.passwordHash ?? undefined, attempt.password);
  if (user && isProven) {
    await forgetSignInFailures(ctx.pool, key);
    return user;
  }
  await countFailure(ctx, key, user, attempt);
  return undefined;
}

async function countFailure(ctx: Context, key: string, user: User | null, attempt: SignInAttempt): Promise<void> {
  const lockMs = lockoutMs(await countSignInFailure(ctx.pool, key));
  if (lockMs > 0) await lockSignIn(ctx.pool, key, lockMs);
  if (!user) return;
  await recordAudit(ctx, {
    accountId: user.accountId,
    action: lockMs > 0 ? 'session.locked' : 'session.refused',
    actorKind: 'anonymous',
    actorId: attempt.address,
    subjectId: user.id,
    address: attempt.address,
    requestId: attempt.requestId,
  });
}

function locked(remainingMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return new AppError('RATE_LIMIT', 'too many wrong passwords, try again later', { retryAfterSeconds });
}
