import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';

/** A snapshot of the keys that sign and verify tokens. */
export interface KeyRing {
  signing: { kid: string; key: CryptoKey };
  verifying: ReadonlyMap<string, CryptoKey>;
  /** Body of the JWKS document, with public parts only. */
  jwks: { keys: JWK[] };
}

/** An Ed25519 private key as a JWK; `kid` is its thumbprint when absent. */
export interface PrivateJwk extends JWK {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  d: string;
}

/** Publishes and accepts all `keys`, and signs with the key whose id is `signingKid`. */
export async function buildKeyRing(keys: readonly PrivateJwk[], signingKid: string): Promise<KeyRing> {
  const verifying = new Map<string, CryptoKey>();
  const published: JWK[] = [];
  let signing: KeyRing['signing'] | undefined;
  for (const { d, ...rest } of keys) {
    const kid = await computeKid({ ...rest, d });
    const publicJwk: JWK = { kty: rest.kty, crv: rest.crv, x: rest.x, kid, use: 'sig', alg: 'EdDSA' };
    verifying.set(kid, (await importJWK(publicJwk, 'EdDSA')) as CryptoKey);
    published.push(publicJwk);
    if (kid === signingKid) signing = { kid, key: (await importJWK({ ...rest, d }, 'EdDSA')) as CryptoKey };
  }
  if (!signing) throw new Error('no signing key');
  return { signing, verifying, jwks: { keys: published } };
}

export async function computeKid(key: PrivateJwk): Promise<string> {
  return key.kid ?? (await calculateJwkThumbprint(key));
}

/** Reads `JWT_PRIVATE_KEYS`: a JSON array of private JWKs; the first signs, all are published. */
export async function keyRingFromConfig(text: string): Promise<KeyRing> {
  let keys: unknown;
  try {
    keys = JSON.parse(text);
  } catch {
    throw new Error('JWT_PRIVATE_KEYS is not JSON'); // the parser's message would quote the key
  }
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isPrivateJwk)) {
    throw new Error('JWT_PRIVATE_KEYS must be a JSON array of Ed25519 private JWKs');
  }
  return buildKeyRing(keys, await computeKid(keys[0]!));
}

function isPrivateJwk(value: unknown): value is PrivateJwk {
  const { kty, crv, x, d } = (value ?? {}) as Record<string, unknown>;
  return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && typeof d === 'string';
}
