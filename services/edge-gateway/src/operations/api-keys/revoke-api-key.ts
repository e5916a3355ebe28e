import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { revokeApiKeyRow } from '../../store/api-keys.js';
import { announceRevocation, writeRevocation } from '../tokens/revoke.js';

/** @throws AppError NOT_FOUND when the account has no such active key */
export async function revokeApiKey(
  ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'revocations'>,
  accountId: string,
  keyId: string,
): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    const isRevoked = await revokeApiKeyRow(tx, accountId, keyId, ctx.clock.now());
    if (!isRevoked) throw new AppError('NOT_FOUND', 'API key not found');
    await writeRevocation(ctx, tx, 'key', keyId);
  });
  announceRevocation(ctx, 'key', keyId);
}
