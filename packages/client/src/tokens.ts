/** Gives the credential of each request. */
export interface TokenSource {
  /** `rejected`: the token that the service has just refused; the source returns another one, or the same to give up. */
  getToken(rejected?: string): Promise<string>;
}

/** A token with the time at which it ends, as `POST /auth/customer-token` and `/auth/refresh` return it. */
export interface IssuedToken {
  token: string;
  /** RFC 3339. Without it, the token is used until the service refuses it. */
  expires_at?: string | undefined;
}

export interface RefreshOptions {
  /** A token that is already there. */
  first?: IssuedToken;
  /** How long before its end a token is replaced. Default: 30 s, at most half of the time that it was valid for. */
  marginMs?: number;
  nowMs?: () => number;
}

/**
 * Keeps a token that ends fresh, such as a customer's: `mint` asks your backend for a new one. Requests that need one at
 * the same time share one call of `mint`.
 */
export function refreshingToken(mint: () => Promise<IssuedToken>, options: RefreshOptions = {}): TokenSource {
  const { marginMs = 30_000, nowMs = () => Date.now() } = options;
  const hold = (issued: IssuedToken) => {
    const endMs = issued.expires_at === undefined ? Number.NaN : Date.parse(issued.expires_at);
    if (Number.isNaN(endMs)) return { token: issued.token, freshUntilMs: Number.POSITIVE_INFINITY };
    return { token: issued.token, freshUntilMs: endMs - Math.min(marginMs, Math.max(0, endMs - nowMs()) / 2) };
  };
  let held = options.first && hold(options.first);
  let minting: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    try {
      held = hold(await mint());
      return held.token;
    } finally {
      minting = undefined;
    }
  };
  return {
    getToken: (rejected) => {
      if (held && held.token !== rejected && nowMs() < held.freshUntilMs) return Promise.resolve(held.token);
      minting ??= renew();
      return minting;
    },
  };
}
