import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { lockApiKey, revokeApiKeyRow } from '../../store/api-keys.js';
import { updateApiKeyRow } from '../../store/gen/api-keys.js';
import { announceRevocation, writeRevocation } from '../tokens/revoke.js';
import { findKeyIssuer } from './find-key-issuer.js';
import { type IssuedKey, issueApiKey } from './issue-api-key.js';

export interface Rotation {
  accountId: string;
  keyId: string;
  userId: string;
  /** The user belongs to another account than the project. */
  isGuest: boolean;
  /** How long the old key keeps working. 0 revokes it. */
  overlapMs: number;
  /** Of the new key. */
  expiresAt: Date | undefined;
}

/**
 * Issues a key of the same project, kind and label, and ends the old one after the overlap. A key with a lifetime limit is
 * refused: the limit belongs to the key, and two keys could spend it twice.
 *
 * @throws AppError NOT_FOUND, CONFLICT
 */
export async function rotateApiKey(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'revocations'>,
  { accountId, keyId, userId, isGuest, overlapMs, expiresAt }: Rotation,
): Promise<IssuedKey> {
  const now = ctx.clock.now();
  // A rotation never widens what a key reads: the key of a member of another account stays limited to its project.
  const issuedBy = (isGuest ? undefined : await findKeyIssuer(ctx, keyId)) ?? userId;
  const issued = await withTransaction(ctx.pool, async (tx) => {
    const old = await lockApiKey(tx, accountId, keyId);
    if (!old) throw new AppError('NOT_FOUND', 'API key not found');
    if (old.spendLimitCents !== null) {
      throw new AppError('CONFLICT', 'a key with a spend limit cannot be rotated; create a key and revoke this one');
    }
    const end = new Date(now.getTime() + overlapMs);
    if (overlapMs === 0) {
      await revokeApiKeyRow(tx, accountId, keyId, now);
      await writeRevocation(ctx, tx, 'key', keyId);
    } else if (old.expiresAt === null || old.expiresAt > end) {
      await updateApiKeyRow(tx, { accountId, keyId, label: null, setsExpiry: true, expiresAt: end });
    }
    const { projectId, kind, label } = old;
    return issueApiKey(ctx, tx, { projectId, kind, label, expiresAt, issuedBy });
  });
  if (overlapMs === 0) announceRevocation(ctx, 'key', keyId);
  return issued;
}
