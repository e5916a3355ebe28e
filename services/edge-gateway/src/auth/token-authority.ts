import { hash } from 'node:crypto';
import { type Clock, ReadCache } from '@tollgate/runtime';
import { errors, jwtVerify, SignJWT } from 'jose';
import { parseClaims, type TokenClaims } from '../domain/principal.js';
import type { KeyRing } from './key-ring.js';

export interface VerifiedToken {
  claims: TokenClaims;
  expiresMs: number;
}

export interface TokenAuthorityOptions {
  issuer: string;
  audience: string;
  /** Reloads the key ring; called at start, periodically, and when a token names an unknown key. */
  loadRing: () => Promise<KeyRing>;
  clock: Clock;
}

/** Allows one extra reload of the ring in this time, however many unknown key ids are received. */
const UNKNOWN_KID_RELOAD_MS = 5_000;
const VERIFIED_MAX = 50_000;

/** Issues and verifies Tollgate's JWTs. Caches verified tokens by hash until they expire. */
export class TokenAuthority {
  readonly #options: TokenAuthorityOptions;
  readonly #verified: ReadCache<VerifiedToken>;
  #ring: KeyRing;
  #loadedMs: number;

  private constructor(options: TokenAuthorityOptions, ring: KeyRing) {
    const { clock } = options;
    const isCurrent = ({ expiresMs }: VerifiedToken): boolean => expiresMs > clock.nowMs();
    this.#verified = new ReadCache({ sizeMax: VERIFIED_MAX, isCurrent, clock });
    this.#options = options;
    this.#ring = ring;
    this.#loadedMs = options.clock.elapsed();
  }

  static async start(options: TokenAuthorityOptions): Promise<TokenAuthority> {
    return new TokenAuthority(options, await options.loadRing());
  }

  get jwks(): KeyRing['jwks'] {
    return this.#ring.jwks;
  }

  async reload(): Promise<void> {
    this.#loadedMs = this.#options.clock.elapsed();
    this.#ring = await this.#options.loadRing();
  }

  async sign(claims: TokenClaims, ttlSeconds: number): Promise<{ token: string; expiresAt: Date }> {
    const issuedAt = Math.floor(this.#options.clock.nowMs() / 1000);
    const { kid, key } = this.#ring.signing;
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
      .setIssuer(this.#options.issuer)
      .setAudience(this.#options.audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ttlSeconds)
      .sign(key);
    return { token, expiresAt: new Date((issuedAt + ttlSeconds) * 1000) };
  }

  /** Returns undefined for an invalid or foreign token. The caller checks revocation. */
  verify(token: string): VerifiedToken | Promise<VerifiedToken | undefined> {
    return this.#verified.get(hash('sha256', token, 'base64'), () => this.#verifyAnew(token));
  }

  async #verifyAnew(token: string): Promise<VerifiedToken | undefined> {
    try {
      const { payload } = await jwtVerify(token, (header) => this.#verifyingKey(header.kid), {
        issuer: this.#options.issuer,
        audience: this.#options.audience,
        algorithms: ['EdDSA'],
        requiredClaims: ['exp', 'iat'],
        currentDate: this.#options.clock.now(),
      });
      const claims = parseClaims(payload);
      if (!claims) return undefined;
      return { claims, expiresMs: payload.exp! * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  async #verifyingKey(kid: string | undefined) {
    const isDue = this.#options.clock.elapsed() - this.#loadedMs > UNKNOWN_KID_RELOAD_MS;
    if (kid && !this.#ring.verifying.has(kid) && isDue) await this.reload();
    const key = kid === undefined ? undefined : this.#ring.verifying.get(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
