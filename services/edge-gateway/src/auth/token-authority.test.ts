import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { buildKeyRing, computeKid, type KeyRing, keyRingFromConfig, type PrivateJwk } from './key-ring.js';
import { TokenAuthority } from './token-authority.js';

const claims = { typ: 'access', sub: 'user', sid: 'session', pid: 'project' } as const;

async function newKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return (await exportJWK(privateKey)) as PrivateJwk;
}

function clockAt(startMs: number) {
  const clock = { ms: startMs, nowMs: () => clock.ms, now: () => new Date(clock.ms), elapsed: () => clock.ms };
  return clock;
}

async function authority(loadRing: () => Promise<KeyRing>, overrides: object = {}) {
  const clock = clockAt(1_700_000_000_000);
  const options = { issuer: 'iss', audience: 'aud', loadRing, clock, ...overrides };
  return { clock, tokens: await TokenAuthority.start(options) };
}

async function ring(...keys: PrivateJwk[]) {
  return buildKeyRing(keys, await computeKid(keys[0]!));
}

describe('TokenAuthority', () => {
  it('signs what it verifies, with issuer, audience and expiry', async () => {
    const key = await newKey();
    const { tokens } = await authority(() => ring(key));
    const { token, expiresAt } = await tokens.sign(claims, 60);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: await computeKid(key) });
    expect(decodeJwt(token)).toEqual({ ...claims, iss: 'iss', aud: 'aud', iat: 1_700_000_000, exp: 1_700_000_060 });
    expect(await tokens.verify(token)).toEqual({ claims, expiresMs: expiresAt.getTime() });
  });

  it('caches a verified token exactly until it expires', async () => {
    const key = await newKey();
    const { tokens, clock } = await authority(() => ring(key));
    const { token } = await tokens.sign(claims, 60);
    const verified = await tokens.verify(token);
    clock.ms += 59_999;
    expect(tokens.verify(token)).toBe(verified);
    clock.ms += 1;
    expect(await tokens.verify(token)).toBeUndefined();
  });

  it.each(['', 'x', 'a.b.c', 'e30.e30.e30'])('rejects %j', async (token) => {
    const key = await newKey();
    const { tokens } = await authority(() => ring(key));
    expect(await tokens.verify(token)).toBeUndefined();
  });

  it('rejects other issuers, audiences, keys and changed claims', async () => {
    const key = await newKey();
    const { tokens } = await authority(() => ring(key));
    const stranger = await newKey();
    const signedBy = async (options: { key?: PrivateJwk; issuer?: string; audience?: string }) => {
      const other = await authority(() => ring(options.key ?? key), {
        issuer: options.issuer ?? 'iss',
        audience: options.audience ?? 'aud',
      });
      return (await other.tokens.sign(claims, 60)).token;
    };
    expect(await tokens.verify(await signedBy({}))).toBeDefined();
    expect(await tokens.verify(await signedBy({ issuer: 'x' }))).toBeUndefined();
    expect(await tokens.verify(await signedBy({ audience: 'x' }))).toBeUndefined();
    expect(await tokens.verify(await signedBy({ key: stranger }))).toBeUndefined();
    const [header, payload, signature] = (await signedBy({})).split('.');
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(atob(payload!)), sub: 'admin' })).toString('base64url');
    expect(await tokens.verify(`${header}.${forged}.${signature}`)).toBeUndefined();
  });

  it('rejects every other algorithm, including none and the public key as a secret', async () => {
    const key = await newKey();
    const { tokens } = await authority(() => ring(key));
    const kid = await computeKid(key);
    const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${Buffer.from(JSON.stringify({ ...claims, iss: 'iss', aud: 'aud', exp: 2e9, iat: 1 })).toString('base64url')}.`;
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .setIssuer('iss')
      .setAudience('aud')
      .setIssuedAt()
      .setExpirationTime(2e9)
      .sign(Buffer.from(key.x, 'base64url'));
    expect(await tokens.verify(unsigned)).toBeUndefined();
    expect(await tokens.verify(hmac)).toBeUndefined();
  });

  it('accepts tokens of both keys during a rotation and publishes no private part', async () => {
    const [old, next] = [await newKey(), await newKey()];
    const before = await authority(() => ring(old));
    const { token } = await before.tokens.sign(claims, 60);
    const { tokens } = await authority(() => ring(next, old));
    expect(await tokens.verify(token)).toBeDefined();
    expect(tokens.jwks.keys.map((key) => key.kid)).toEqual([await computeKid(next), await computeKid(old)]);
    expect(JSON.stringify(tokens.jwks)).not.toContain('"d"');
  });

  it('loads a key that another edge already uses, but not for every unknown id', async () => {
    const [old, next] = [await newKey(), await newKey()];
    let isRotated = false;
    let reads = 0;
    const { tokens, clock } = await authority(async () => {
      reads++;
      return isRotated ? ring(next, old) : ring(old);
    });
    const { token } = await (await authority(() => ring(next))).tokens.sign(claims, 600);
    expect(await tokens.verify(token)).toBeUndefined();
    isRotated = true;
    clock.ms += 6_000;
    expect(await tokens.verify(token)).toBeDefined();
    const stranger = await newKey();
    const foreign = (await (await authority(() => ring(stranger))).tokens.sign(claims, 600)).token;
    for (let i = 0; i < 5; i++) expect(await tokens.verify(foreign)).toBeUndefined();
    expect(reads).toBe(2);
  });
});

describe('keyRingFromConfig', () => {
  it('signs with the first key and publishes all', async () => {
    const keys = [await newKey(), await newKey()];
    const { signing, verifying } = await keyRingFromConfig(JSON.stringify(keys));
    expect(signing.kid).toBe(await computeKid(keys[0]!));
    expect([...verifying.keys()]).toEqual([await computeKid(keys[0]!), await computeKid(keys[1]!)]);
  });

  it.each(['', '{}', '[]', '[{}]', '[{"kty":"OKP","crv":"Ed25519","x":"a"}]', 'secret-text'])(
    'rejects %j without showing it',
    async (text) => {
      const refusal = expect(keyRingFromConfig(text)).rejects;
      await refusal.toThrow(/JWT_PRIVATE_KEYS/);
      await refusal.not.toThrow(/secret-text/);
    },
  );
});
