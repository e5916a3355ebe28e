import type { Context } from '../../context.js';
import { hashApiKey, type Peppers, pepperId } from '../../domain/api-key.js';
import type { KeyInfo } from '../../domain/identity.js';
import { readKeyByHashes, replaceKeyHash } from '../../store/api-keys.js';

/**
 * Finds a key under the current or the previous pepper; undefined when it is unknown, revoked, or belongs to a deleted
 * project. While the pepper is rotated, a key that is found under the previous one gets its hash under the current one.
 */
export async function findApiKey(
  ctx: Pick<Context, 'config' | 'db' | 'pool' | 'logger'>,
  secret: string,
): Promise<KeyInfo | undefined> {
  const { peppers } = ctx.config;
  const hashes = hashesOf(peppers, secret);
  const found = await readKeyByHashes(ctx.db, hashes);
  const [current] = hashes;
  if (found && peppers.previous !== undefined && !current.equals(found.keyHash)) {
    const change = { from: found.keyHash, to: current, pepperId: pepperId(peppers.current) };
    await replaceKeyHash(ctx.pool, found.info.keyId, change).catch((err: unknown) => {
      // The key is valid, and its next use tries again.
      ctx.logger.warn({ err, key_id: found.info.keyId }, 'key not rehashed with the current pepper');
    });
  }
  return found?.info;
}

/** The hashes under which a key may be stored, the current one first. */
export function hashesOf({ current, previous }: Peppers, secret: string): [Buffer, ...Buffer[]] {
  return [hashApiKey(current, secret), ...(previous === undefined ? [] : [hashApiKey(previous, secret)])];
}
