import { openSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../context.js';
import {
  countSecretsBeyondKeys,
  replaceSealedSecret,
  SECRET_TABLES,
  type SecretTable,
  selectSecretsOfKeys,
} from '../store/sealed-secrets.js';
import { resealSecret } from './signing-secrets.js';

const SECRETS_PER_PASS = 200;

type RewrapContext = Pick<Context, 'pool' | 'keyring' | 'logger'>;

/** Reseals secrets of earlier keys with the current key, so that the earlier keys can be removed. Returns how many. */
export async function rewrapSecrets(ctx: RewrapContext): Promise<number> {
  const keyIds = [...ctx.keyring.keys.keys()];
  let rewrapped = 0;
  for (const table of SECRET_TABLES) {
    rewrapped += await rewrapIn(table, ctx);
    const lost = await countSecretsBeyondKeys(ctx.pool, table, keyIds);
    if (lost > 0) ctx.logger.error({ secrets: lost }, 'no configured key opens these signing secrets');
  }
  if (rewrapped > 0) ctx.logger.info({ secrets: rewrapped }, 'signing secrets resealed with the current key');
  return rewrapped;
}

async function rewrapIn(table: SecretTable, { pool, keyring, logger }: RewrapContext): Promise<number> {
  const earlier = [...keyring.keys.keys()].filter((keyId) => keyId !== keyring.currentKeyId);
  let rewrapped = 0;
  for (const { id, secret } of await selectSecretsOfKeys(pool, table, earlier, SECRETS_PER_PASS)) {
    try {
      const resealed = resealSecret(keyring, openSecret(keyring, secret, id), id);
      await replaceSealedSecret(pool, table, id, { before: secret, after: resealed });
      rewrapped += 1;
    } catch (err) {
      logger.error({ err, endpoint_id: id }, 'signing secret not resealed');
    }
  }
  return rewrapped;
}
