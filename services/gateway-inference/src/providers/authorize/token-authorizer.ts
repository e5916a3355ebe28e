import type { Clock } from '@tollgate/runtime';
import type { Authorizer } from '../contract/authorizer.js';
import type { IssuedToken } from './token-request.js';

/** A token is renewed this long before it expires, or at half of its lifetime if that is later. */
const RENEWED_BEFORE_MS = 300_000;

/** Adds an access token, which is shared by requests until shortly before it expires. */
export class TokenAuthorizer implements Authorizer {
  readonly #issue: () => Promise<IssuedToken>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #headers: readonly string[] | undefined;
  #renewedAt = 0;
  #pending: Promise<readonly string[]> | undefined;

  constructor(issue: () => Promise<IssuedToken>, clock: Pick<Clock, 'elapsed'>) {
    this.#issue = issue;
    this.#clock = clock;
  }

  /** Rejects with TokenError if no token is issued; the next request tries again. */
  authorize(): readonly string[] | Promise<readonly string[]> {
    if (this.#headers && this.#clock.elapsed() < this.#renewedAt) return this.#headers;
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #renew(): Promise<readonly string[]> {
    const askedAt = this.#clock.elapsed();
    const { token, lifetimeSeconds } = await this.#issue();
    const lifetimeMs = lifetimeSeconds * 1_000;
    this.#renewedAt = askedAt + Math.max(lifetimeMs - RENEWED_BEFORE_MS, lifetimeMs / 2);
    this.#headers = ['authorization', `Bearer ${token}`];
    return this.#headers;
  }
}
