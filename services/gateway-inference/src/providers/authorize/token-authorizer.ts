import { type Clock, ReadCache } from '@tollgate/runtime';
import type { Authorizer } from '../contract/authorizer.js';
import type { IssuedToken } from './token-request.js';

/** A token is renewed this long before it expires, or at half of its lifetime if that is later. */
const RENEWED_BEFORE_MS = 300_000;

interface KeptToken {
  headers: readonly string[];
  renewedAt: number;
}

/** Adds an access token, which is shared by requests until shortly before it expires. */
export class TokenAuthorizer implements Authorizer {
  readonly #issue: () => Promise<IssuedToken>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #tokens: ReadCache<KeptToken>;

  constructor(issue: () => Promise<IssuedToken>, clock: Pick<Clock, 'elapsed'>) {
    this.#issue = issue;
    this.#clock = clock;
    this.#tokens = new ReadCache({ sizeMax: 1, isCurrent: ({ renewedAt }) => clock.elapsed() < renewedAt, clock });
  }

  /** Rejects with TokenError if no token is issued; the next request tries again. */
  authorize(): readonly string[] | Promise<readonly string[]> {
    const token = this.#tokens.get('', () => this.#renew());
    return token instanceof Promise ? token.then(({ headers }) => headers) : token.headers;
  }

  async #renew(): Promise<KeptToken> {
    const askedAt = this.#clock.elapsed();
    const { token, lifetimeSeconds } = await this.#issue();
    const lifetimeMs = lifetimeSeconds * 1_000;
    return {
      headers: ['authorization', `Bearer ${token}`],
      renewedAt: askedAt + Math.max(lifetimeMs - RENEWED_BEFORE_MS, lifetimeMs / 2),
    };
  }
}
