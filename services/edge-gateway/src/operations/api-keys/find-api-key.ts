import type { Context } from '../../context.js';
import { hashApiKey, type Peppers, pepperId } from '../../domain/api-key.js';
import type { KeyInfo } from '../../domain/identity.js';
import { type FoundKey, readKeyByHashes, replaceKeyHash, stampPepper } from '../../store/api-keys.js';

type Parts = Pick<Context, 'config' | 'pool' | 'logger'>;

/**
 * Finds a key under the current or the previous pepper; undefined when it is unknown, revoked, or belongs to a deleted
 * project. While the pepper is rotated, a key that is found under the previous one gets its hash under the current one.
 */
export async function findApiKey(ctx: Parts, secret: string): Promise<KeyInfo | undefined> {
  const hashes = hashWithPeppers(ctx.config.peppers, secret);
  const found = await readKeyByHashes(ctx.pool, hashes);
  if (!found) return undefined;
  await refreshHash(ctx, found, hashes[0]).catch((err: unknown) => {
    // The key is valid, and its next use tries again.
    ctx.logger.warn({ err, key_id: found.info.keyId }, 'key not rehashed with the current pepper');
  });
  return found.info;
}

/** Rehashes a key of the previous pepper; names the pepper of a key that was made before it was stored. */
async function refreshHash({ config, pool }: Parts, { info, ...found }: FoundKey, current: Buffer): Promise<void> {
  const { peppers } = config;
  const id = pepperId(peppers.current);
  if (current.equals(found.keyHash)) {
    if (found.pepperId === undefined) await stampPepper(pool, info.keyId, current, id);
  } else if (peppers.previous !== undefined) {
    await replaceKeyHash(pool, info.keyId, { from: found.keyHash, to: current, pepperId: id });
  }
}

/** The hashes under which a key may be stored, the current one first. */
export function hashWithPeppers({ current, previous }: Peppers, secret: string): [Buffer, ...Buffer[]] {
  return [hashApiKey(current, secret), ...(previous === undefined ? [] : [hashApiKey(previous, secret)])];
}
