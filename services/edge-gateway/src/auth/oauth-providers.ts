import * as oidc from 'openid-client';
import type { EdgeConfig } from '../config.js';

export type OAuthProviderId = 'github' | 'google';

/** A person's identity at a provider. */
export interface OAuthIdentity {
  provider: OAuthProviderId;
  /** The provider's id of the person, which never changes, unlike names and emails. */
  subject: string;
  /** Set only when the provider has verified it. */
  email: string | undefined;
}

/** Secrets of one sign-in that the callback must return or prove. */
export interface OAuthChecks {
  state: string;
  codeVerifier: string;
  nonce: string;
}

type OAuthConfig = EdgeConfig['oauth'];

/** The configured sign-in providers. Fetches discovery documents and keys on first use. */
export class OAuthProviders {
  readonly #config: OAuthConfig;
  #google: Promise<oidc.Configuration> | undefined;

  constructor(config: OAuthConfig) {
    this.#config = config;
  }

  get ids(): OAuthProviderId[] {
    const { github, google } = this.#config;
    return [...(github ? (['github'] as const) : []), ...(google ? (['google'] as const) : [])];
  }

  /** What pages call the providers. */
  get names(): Partial<Record<OAuthProviderId, string>> {
    const { github, google } = this.#config;
    return { ...(github && { github: 'GitHub' }), ...(google && { google: google.name }) };
  }

  async authorizationUrl(provider: OAuthProviderId, redirectUri: string, checks: OAuthChecks): Promise<string> {
    const parameters = {
      redirect_uri: redirectUri,
      scope: provider === 'google' ? 'openid email' : 'read:user user:email',
      state: checks.state,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      ...(provider === 'google' && { nonce: checks.nonce }),
    };
    return oidc.buildAuthorizationUrl(await this.#client(provider), parameters).href;
  }

  /** Exchanges the callback's code and reads the identity. @throws when the provider refuses or answers unexpectedly */
  async identify(provider: OAuthProviderId, callback: URL, checks: OAuthChecks): Promise<OAuthIdentity> {
    const client = await this.#client(provider);
    const isOidc = provider === 'google';
    const tokens = await oidc.authorizationCodeGrant(client, callback, {
      expectedState: checks.state,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: isOidc,
      ...(isOidc && { expectedNonce: checks.nonce }),
    });
    if (!isOidc) return this.#githubIdentity(client, tokens.access_token);
    const claims = tokens.claims()!;
    const email = claims.email_verified === true && typeof claims.email === 'string' ? claims.email : undefined;
    return { provider, subject: claims.sub, email };
  }

  #client(provider: OAuthProviderId): Promise<oidc.Configuration> {
    if (provider === 'github') return Promise.resolve(this.#githubClient());
    this.#google ??= this.#discoverGoogle().catch((error: unknown) => {
      this.#google = undefined;
      throw error;
    });
    return this.#google;
  }

  async #discoverGoogle(): Promise<oidc.Configuration> {
    const { clientId, clientSecret, issuer } = this.#config.google!;
    const url = new URL(issuer);
    const options = url.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {};
    return timed(await oidc.discovery(url, clientId, clientSecret, undefined, options));
  }

  /** GitHub implements OAuth 2 without discovery and id tokens. */
  #githubClient(): oidc.Configuration {
    const { clientId, clientSecret, url } = this.#config.github!;
    const server = {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    };
    const client = new oidc.Configuration(server, clientId, clientSecret);
    if (url.startsWith('http:')) oidc.allowInsecureRequests(client);
    return timed(client);
  }

  async #githubIdentity(client: oidc.Configuration, accessToken: string): Promise<OAuthIdentity> {
    const api = this.#config.github!.apiUrl;
    const headers = new Headers({ Accept: 'application/vnd.github+json', 'User-Agent': 'tollgate' });
    const read = async (path: string): Promise<unknown> => {
      const url = new URL(`${api}${path}`);
      const res = await oidc.fetchProtectedResource(client, accessToken, url, 'GET', undefined, headers);
      if (!res.ok) throw new Error(`GitHub answered ${path} with ${res.status}`);
      return res.json();
    };
    const user = (await read('/user')) as { id?: unknown };
    if (typeof user.id !== 'number') throw new Error('the response from GitHub contains no user id');
    const emails = (await read('/user/emails')) as { email: string; primary: boolean; verified: boolean }[];
    const email = emails.find(({ primary, verified }) => primary && verified)?.email;
    return { provider: 'github', subject: String(user.id), email };
  }
}

const TIMEOUT_SECONDS = 10;

function timed(client: oidc.Configuration): oidc.Configuration {
  client.timeout = TIMEOUT_SECONDS;
  return client;
}
