import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import { lockoutMs, pauseMs } from '../../domain/sign-in-pace.js';
import { blockSignIn, countSignInFailure } from '../../store/sign-in-sources.js';
import { findUserByEmailKey, type User } from '../../store/users.js';
import { recordAudit } from '../record-audit.js';
import { isCorrectPassword } from './passwords.js';
import { type SignInSource, UNKNOWN_SOURCES } from './sign-in-source.js';

export interface SignInAttempt {
  email: string;
  password: string;
  address: string;
  requestId: string;
}

/**
 * Returns the user with this email and password; undefined when they do not match. Counts and locks emails without an
 * account like the others, so that neither the response nor its delay reveals which emails have one.
 *
 * @throws AppError RATE_LIMIT while the source is locked or must wait
 */
export async function logIn(
  ctx: Pick<Context, 'clock' | 'logger' | 'pool'>,
  attempt: SignInAttempt,
  source: SignInSource,
): Promise<User | undefined> {
  if (source.blockedUntil) throw blocked(source.blockedUntil.getTime() - ctx.clock.nowMs());
  const user = await findUserByEmailKey(ctx.pool, emailKey(attempt.email));
  const isProven = await isCorrectPassword(user?.passwordHash ?? undefined, attempt.password);
  if (user && isProven) return user;
  const isLocked = await countFailure(ctx, emailKey(attempt.email), source);
  if (user) await recordRefusal(ctx, user, attempt, isLocked);
  return undefined;
}

/** Returns whether the failure locked the source. */
async function countFailure(ctx: Pick<Context, 'pool'>, key: string, source: SignInSource): Promise<boolean> {
  const lockMs = lockoutMs(await countSignInFailure(ctx.pool, key, source.name));
  if (lockMs > 0) await blockSignIn(ctx.pool, key, source.name, lockMs);
  if (!source.isKnown) {
    const waitMs = pauseMs(await countSignInFailure(ctx.pool, key, UNKNOWN_SOURCES));
    if (waitMs > 0) await blockSignIn(ctx.pool, key, UNKNOWN_SOURCES, waitMs);
  }
  return lockMs > 0;
}

async function recordRefusal(
  ctx: Pick<Context, 'clock' | 'logger' | 'pool'>,
  user: User,
  attempt: SignInAttempt,
  isLocked: boolean,
): Promise<void> {
  await recordAudit(ctx, {
    accountId: user.accountId,
    action: isLocked ? 'session.locked' : 'session.refused',
    actorKind: 'anonymous',
    actorId: attempt.address,
    subjectId: user.id,
    address: attempt.address,
    requestId: attempt.requestId,
  });
}

function blocked(remainingMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return new AppError('RATE_LIMIT', 'too many wrong passwords, try again later', { retryAfterSeconds });
}
