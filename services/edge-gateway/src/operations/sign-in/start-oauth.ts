import { createHash, randomBytes } from 'node:crypto';
import type { OAuthProviderId } from '../../auth/oauth-providers.js';
import type { Context } from '../../context.js';
import { oauthState, type StatePlace } from '../../domain/oauth-state.js';
import { toConsolePath } from '../../domain/return-to.js';
import { insertOAuthSignIn } from '../../store/oauth-sign-ins.js';

/** Time that a person may take at the provider. */
const TTL_MS = 10 * 60_000;

export interface OAuthStart {
  provider: OAuthProviderId;
  redirectUri: string;
  returnTo?: string | undefined;
  handoffNonce?: string | undefined;
  /** The device that a customer signs in. */
  deviceCodeHash?: Buffer | undefined;
  /** The only browser that may return the state. */
  browserId: string;
}

/** Returns the URL to redirect the browser to. Stores the state until the callback or for ten minutes. */
export async function startOAuth(ctx: Pick<Context, 'oauth' | 'pool'>, start: OAuthStart): Promise<string> {
  const state = oauthState(secret(), start.browserId, toPlace(start));
  const checks = { state, codeVerifier: secret(), nonce: secret() };
  const url = await ctx.oauth.authorizationUrl(start.provider, start.redirectUri, checks);
  const row = {
    provider: start.provider,
    code_verifier: checks.codeVerifier,
    nonce: checks.nonce,
    return_to: start.returnTo ?? null,
    handoff_nonce: start.handoffNonce ?? null,
    device_code_hash: start.deviceCodeHash ?? null,
  };
  await insertOAuthSignIn(ctx.pool, hashState(checks.state), row, TTL_MS);
  return url;
}

function toPlace({ returnTo, deviceCodeHash }: OAuthStart): StatePlace | undefined {
  if (deviceCodeHash !== undefined) return 'device';
  return returnTo !== undefined && toConsolePath(returnTo) !== undefined ? 'console' : undefined;
}

export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
