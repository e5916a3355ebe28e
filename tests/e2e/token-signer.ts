// Signs tokens as the edge does, and invalid ones.
import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';

export interface TokenOptions {
  expiresInSeconds?: number;
  issuer?: string;
  audience?: string;
  isUnsigned?: boolean;
}

export interface TokenSigner {
  customer(of: { projectId: string; customerId: string; externalId: string }, options?: TokenOptions): Promise<string>;
  access(of: { projectId: string; userId: string }, options?: TokenOptions): Promise<string>;
}

/** A new private key, an entry of JWT_PRIVATE_KEYS. */
export async function signingKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk) };
}

/** @param kid named in the tokens' headers; default: that of the key */
export async function tokenSigner(jwk: JWK & { kid: string }, kid = jwk.kid): Promise<TokenSigner> {
  const key = await importJWK(jwk, 'EdDSA');
  const sign = (
    claims: { sub: string } & Record<string, string>,
    options: TokenOptions = {},
  ): Promise<string> | string => {
    const { sub, ...rest } = claims;
    const now = Math.floor(Date.now() / 1000);
    const expires = now + (options.expiresInSeconds ?? 600);
    const issuer = options.issuer ?? 'tollgate';
    const audience = options.audience ?? 'tollgate';
    const payload = { ...rest, sid: randomUUID() };
    if (options.isUnsigned) {
      const token = new UnsecuredJWT(payload).setSubject(sub).setIssuer(issuer).setAudience(audience);
      return token.setIssuedAt(now).setExpirationTime(expires).encode();
    }
    const token = new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid }).setSubject(sub).setIssuer(issuer);
    return token.setAudience(audience).setIssuedAt(Math.min(now, expires)).setExpirationTime(expires).sign(key);
  };
  return {
    customer: async ({ projectId, customerId, externalId }, options) =>
      sign({ typ: 'customer', sub: customerId, pid: projectId, euid: customerId, eext: externalId, tier: '' }, options),
    access: async ({ projectId, userId }, options) => sign({ typ: 'access', sub: userId, pid: projectId }, options),
  };
}
