import { randomBytes } from 'node:crypto';
import { IV_BYTES, openSecret, sealSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../context.js';
import { replaceSealed, selectSealedByOther } from '../../store/connections/connections.js';

const CONNECTIONS_PER_PASS = 100;

/** Seals secrets of earlier keys with the current key, so that the earlier keys can be removed. Returns how many. */
export async function resealConnections(ctx: Pick<Context, 'keyring' | 'logger' | 'pool'>): Promise<number> {
  const { keyring, logger, pool } = ctx;
  if (!keyring) return 0;
  let resealed = 0;
  let lost = 0;
  for (const connection of await selectSealedByOther(pool, keyring.currentKeyId, CONNECTIONS_PER_PASS)) {
    const { id, secrets } = connection;
    if (!keyring.keys.has(secrets.keyId)) {
      lost += 1;
      continue;
    }
    const sealed = sealSecret(keyring, openSecret(keyring, secrets, id), id, randomBytes(IV_BYTES));
    await replaceSealed(pool, connection, sealed);
    resealed += 1;
  }
  if (lost > 0) logger.error({ connections: lost }, 'no configured key opens the secrets of these connections');
  if (resealed > 0) logger.info({ connections: resealed }, 'secrets of connections sealed with the current key');
  return resealed;
}
