import type { Context } from '../context.js';
import { openSecret } from '../domain/secret-box.js';
import { replaceSealedSecret, selectSecretsOfOtherKeys } from '../store/webhooks.js';
import { resealSecret } from './signing-secrets.js';

const SECRETS_PER_PASS = 200;

/** Seals with the current key what an earlier one sealed, so that the earlier one can be dropped. Returns how many. */
export async function rewrapSecrets(ctx: Pick<Context, 'prisma' | 'keyring' | 'logger'>): Promise<number> {
  const { keyring, prisma } = ctx;
  const stale = await selectSecretsOfOtherKeys(prisma, keyring.currentKeyId, SECRETS_PER_PASS);
  let rewrapped = 0;
  for (const { id, secret } of stale) {
    if (!keyring.keys.has(secret.keyId)) {
      ctx.logger.error({ webhook_id: id, key_id: secret.keyId }, 'no key opens the secret of this webhook');
      continue;
    }
    await replaceSealedSecret(prisma, id, secret, resealSecret(keyring, openSecret(keyring, secret, id), id));
    rewrapped += 1;
  }
  if (rewrapped > 0) ctx.logger.info({ secrets: rewrapped }, 'sealed secrets again with the current key');
  return rewrapped;
}
