import type { Context } from '../context.js';
import { openSecret, type SealedSecret } from '../domain/secret-box.js';
import type { PrismaClient } from '../store/generated/client.js';
import { countHookSecretsBeyondKeys, replaceSealedHookSecret, selectHookSecretsOfKeys } from '../store/tool-hooks.js';
import { countSecretsBeyondKeys, replaceSealedSecret, selectSecretsOfKeys } from '../store/webhooks.js';
import { resealSecret } from './signing-secrets.js';

const SECRETS_PER_PASS = 200;

/** A table with sealed secrets. */
interface SecretStore {
  select(prisma: PrismaClient, keyIds: string[], limit: number): Promise<{ id: string; secret: SealedSecret }[]>;
  replace(prisma: PrismaClient, id: string, before: SealedSecret, after: SealedSecret): Promise<void>;
  countBeyond(prisma: PrismaClient, keyIds: string[]): Promise<number>;
}

const stores: readonly SecretStore[] = [
  { select: selectSecretsOfKeys, replace: replaceSealedSecret, countBeyond: countSecretsBeyondKeys },
  { select: selectHookSecretsOfKeys, replace: replaceSealedHookSecret, countBeyond: countHookSecretsBeyondKeys },
];

type RewrapContext = Pick<Context, 'prisma' | 'keyring' | 'logger'>;

/** Reseals secrets of earlier keys with the current key, so that the earlier keys can be removed. Returns how many. */
export async function rewrapSecrets(ctx: RewrapContext): Promise<number> {
  const keyIds = [...ctx.keyring.keys.keys()];
  let rewrapped = 0;
  for (const store of stores) {
    rewrapped += await rewrapIn(store, ctx);
    const lost = await store.countBeyond(ctx.prisma, keyIds);
    if (lost > 0) ctx.logger.error({ secrets: lost }, 'no configured key opens these signing secrets');
  }
  if (rewrapped > 0) ctx.logger.info({ secrets: rewrapped }, 'signing secrets resealed with the current key');
  return rewrapped;
}

async function rewrapIn(store: SecretStore, { prisma, keyring, logger }: RewrapContext): Promise<number> {
  const earlier = [...keyring.keys.keys()].filter((keyId) => keyId !== keyring.currentKeyId);
  let rewrapped = 0;
  for (const { id, secret } of await store.select(prisma, earlier, SECRETS_PER_PASS)) {
    try {
      await store.replace(prisma, id, secret, resealSecret(keyring, openSecret(keyring, secret, id), id));
      rewrapped += 1;
    } catch (err) {
      logger.error({ err, endpoint_id: id }, 'signing secret not resealed');
    }
  }
  return rewrapped;
}
