import type { Context } from '../../context.js';
import { readKeyIssuer, stampKeyIssuer } from '../../store/api-keys.js';

/** Returns the user who created or rotated a key; undefined when that is unknown. */
export async function findKeyIssuer(ctx: Pick<Context, 'pool'>, keyId: string): Promise<string | undefined> {
  const { userId, isStored } = await readKeyIssuer(ctx.pool, keyId);
  if (userId !== undefined && !isStored) await stampKeyIssuer(ctx.pool, keyId, userId);
  return userId;
}
