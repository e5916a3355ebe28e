import { type Pool, type Tx, withTransaction } from '@tollgate/postgres';
import { exportJWK, generateKeyPair } from 'jose';
import { openSigningKey, sealSigningKey } from '../../auth/cipher.js';
import { buildKeyRing, computeKid, type KeyRing, type PrivateJwk } from '../../auth/key-ring.js';
import type { Peppers } from '../../domain/api-key.js';
import { CUSTOMER_TOKEN_TTL_MAX_SECONDS } from '../../domain/customer-token-ttl.js';
import {
  insertSigningKey,
  lockSigningKeys,
  readPublishedSigningKeys,
  replaceSealedSigningKey,
  retireOtherSigningKeys,
  type SigningKeyRow,
} from '../../store/signing-keys.js';

/** Time between publishing a key and signing with it, so that every edge and JWKS cache has it. */
export const PUBLISH_LEAD_MS = 10 * 60_000;

/** Loads the key ring from the database; creates the first key when the table is empty. */
export async function loadStoredKeyRing(pool: Pool, peppers: Peppers, now: Date): Promise<KeyRing> {
  let rows = await readPublishedSigningKeys(pool);
  if (rows.length === 0) {
    rows = await withTransaction(pool, async (tx) => {
      await lockSigningKeys(tx);
      if ((await readPublishedSigningKeys(tx)).length === 0) await insertNewKey(tx, peppers, now);
      return readPublishedSigningKeys(tx);
    });
  }
  return toKeyRing(rows, peppers, now);
}

/** Creates a successor; both keys are published until the last token of the old one has expired. */
export async function rotateStoredSigningKey(pool: Pool, peppers: Peppers, now: Date): Promise<{ kid: string }> {
  const activeAt = new Date(now.getTime() + PUBLISH_LEAD_MS);
  return withTransaction(pool, async (tx) => {
    await lockSigningKeys(tx);
    const kid = await insertNewKey(tx, peppers, activeAt);
    const retiresAt = new Date(activeAt.getTime() + CUSTOMER_TOKEN_TTL_MAX_SECONDS * 1000 + PUBLISH_LEAD_MS);
    await retireOtherSigningKeys(tx, kid, retiresAt);
    return { kid };
  });
}

/** Seals the published keys with the current pepper, so that the previous one can be removed. Returns how many changed. */
export async function resealSigningKeys(pool: Pool, { current, previous }: Peppers): Promise<number> {
  if (previous === undefined) return 0;
  return withTransaction(pool, async (tx) => {
    await lockSigningKeys(tx);
    const rows = await readPublishedSigningKeys(tx);
    for (const { kid, private_key } of rows) {
      await replaceSealedSigningKey(tx, kid, sealSigningKey(current, openWith({ current, previous }, private_key)));
    }
    return rows.length;
  });
}

async function insertNewKey(tx: Tx, peppers: Peppers, activeAt: Date): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = (await exportJWK(privateKey)) as PrivateJwk;
  const kid = await computeKid(jwk);
  await insertSigningKey(tx, {
    kid,
    privateKey: sealSigningKey(sealingPepper(peppers), JSON.stringify({ ...jwk, kid })),
    activeAt,
  });
  return kid;
}

function toKeyRing(rows: readonly SigningKeyRow[], peppers: Peppers, now: Date): Promise<KeyRing> {
  const keys = rows.map((row) => JSON.parse(openWith(peppers, row.private_key)) as PrivateJwk);
  const signing = rows.find((row) => row.active_at <= now) ?? rows.at(-1)!;
  return buildKeyRing(keys, signing.kid);
}

/** While the pepper is rotated, some edges know only the previous one. */
function sealingPepper({ current, previous }: Peppers): string {
  return previous ?? current;
}

/** @throws Error that names KEY_PEPPER when neither pepper opens the key */
function openWith({ current, previous }: Peppers, sealed: Buffer): string {
  let cause: unknown;
  for (const pepper of [current, previous]) {
    try {
      if (pepper !== undefined) return openSigningKey(pepper, sealed);
    } catch (error) {
      cause = error;
    }
  }
  const remedy = 'restore the earlier value, or set it as KEY_PEPPER_PREVIOUS';
  throw new Error(`KEY_PEPPER is not the one of this database, whose signing keys it cannot open: ${remedy}`, {
    cause,
  });
}
