import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import { elapsed } from '@tollgate/runtime';
import { createSafeFetch, type SafeFetchClient } from '@tollgate/safe-fetch';
import type { Attempt, Connection, OAuthAccount, OAuthClient, OAuthTokens } from '../domain/mcp/connection.js';
import type { NameOptions } from './endpoint-client.js';

/** Of one authorization, exchange or refresh together. */
const TIMEOUT_MS = 15_000;
const RESPONSE_BYTES_MAX = 262_144;
/** Discovery tries several addresses. */
const REQUESTS_MAX = 16;

/** A failure at the authorization server. The message may contain its own text: for owners alone. */
export class McpOAuthError extends Error {
  override readonly name = 'McpOAuthError';
  /** Whether no other attempt changes the answer: the tokens, the code or the client are refused. */
  readonly isFinal: boolean;

  constructor(message: string, options: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.isFinal = options.isFinal ?? false;
  }
}

export interface AuthorizationRequest {
  endpointUrl: string;
  redirectUri: string;
  state: string;
  /** Default: what the server asks for. */
  scope: string | undefined;
  /** The client that the owner registered. */
  client: OAuthClient | undefined;
  /** The account that was connected before: its client is used again. */
  known: OAuthAccount | undefined;
}

/** A client that acts for itself (RFC 6749, section 4.4). */
export interface ClientGrantRequest {
  endpointUrl: string;
  client: OAuthClient;
  /** Default: what the server asks for. */
  scope: string | undefined;
}

/** Authorizes Tollgate at the authorization servers of MCP servers. Every method throws McpOAuthError. */
export interface McpOAuth {
  /** Finds the server's authorization server and a client, and returns the address that the owner opens. */
  prepare(request: AuthorizationRequest): Promise<{ url: string; attempt: Attempt }>;
  /** Exchanges a code, once. */
  exchange(attempt: Attempt, code: string): Promise<OAuthTokens>;
  /** Finds the server's authorization server, and gets tokens for the client. */
  connectClient(request: ClientGrantRequest): Promise<Connection>;
  /** Returns new tokens; the refresh token may be another one. */
  refresh(connection: Connection): Promise<OAuthTokens>;
  stop(): Promise<void>;
}

/** Uses the helpers of the protocol's library over the guarded client: public addresses only, no redirects. */
export function createMcpOAuth({
  allowPrivate,
  names,
}: {
  allowPrivate: boolean;
  names?: NameOptions | undefined;
}): McpOAuth {
  const http = createSafeFetch({ ...names });
  const load = async () => ({
    library: await import('@modelcontextprotocol/sdk/client/auth.js'),
    fetchFn: guard(http, allowPrivate),
  });
  return {
    prepare: (request) =>
      explained(async () => {
        const { library, fetchFn } = await load();
        const { redirectUri, state } = request;
        const { resource, scoped, ...found } = await discover(library, fetchFn, request);
        const { authorizationServerUrl } = found;
        const place = { ...found, redirectUri };
        const client =
          request.client ??
          findKnownClient(request.known, place) ??
          (await library.registerClient(authorizationServerUrl, {
            ...place,
            ...scoped,
            fetchFn,
            clientMetadata: toClientMetadata(redirectUri),
          }));
        const { authorizationUrl, codeVerifier } = await library.startAuthorization(authorizationServerUrl, {
          ...place,
          ...scoped,
          clientInformation: client,
          redirectUrl: redirectUri,
          state,
          ...(resource && { resource }),
        });
        requireBrowsable(authorizationUrl, allowPrivate);
        const account = { ...place, client: { ...client }, ...(resource && { resource: resource.href }) };
        return { url: authorizationUrl.href, attempt: { ...account, codeVerifier } as Attempt };
      }),
    exchange: (attempt, code) =>
      explained(async () => {
        const { library, fetchFn } = await load();
        const { codeVerifier, redirectUri } = attempt;
        const options = { ...toOptions(attempt), authorizationCode: code, codeVerifier, redirectUri, fetchFn };
        return library.exchangeAuthorization(attempt.authorizationServerUrl, options);
      }),
    connectClient: (request) =>
      explained(async () => {
        const { library, fetchFn } = await load();
        const { resource, scoped, ...place } = await discover(library, fetchFn, request);
        const client = { ...request.client };
        const account = { ...place, client, redirectUri: '', ...(resource && { resource: resource.href }) };
        const tokens = await fetchClientTokens(library, fetchFn, account as OAuthAccount, scoped);
        return { ...account, tokens, clientGrant: scoped } as Connection;
      }),
    refresh: (connection) =>
      explained(async () => {
        const { library, fetchFn } = await load();
        const { clientGrant } = connection;
        if (clientGrant) return fetchClientTokens(library, fetchFn, connection, clientGrant);
        const refreshToken = connection.tokens.refresh_token;
        if (refreshToken === undefined) throw new McpOAuthError('the tokens cannot be refreshed', { isFinal: true });
        const options = { ...toOptions(connection), refreshToken, fetchFn };
        return library.refreshAuthorization(connection.authorizationServerUrl, options);
      }),
    stop: () => http.close(),
  };
}

/** Returns how Tollgate describes itself where it registers. */
function toClientMetadata(redirectUri: string) {
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(redirectUri).hostname);
  return {
    client_name: 'Tollgate',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    // Servers of OpenID Connect refuse redirects of other forms than the type's.
    application_type: isLocal ? 'native' : 'web',
  };
}

type Library = typeof import('@modelcontextprotocol/sdk/client/auth.js');

/** Finds the authorization server that an MCP server names, and what to ask it for. */
async function discover(
  library: Library,
  fetchFn: Fetch,
  { endpointUrl, scope: asked }: Pick<AuthorizationRequest, 'endpointUrl' | 'scope'>,
) {
  const challenge = library.extractWWWAuthenticateParams(await probe(fetchFn, endpointUrl));
  const { resourceMetadataUrl } = challenge;
  const found = await library.discoverOAuthServerInfo(endpointUrl, {
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const resource = await library.selectResourceURL(endpointUrl, {} as never, resourceMetadata);
  const scope = asked ?? challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const scoped: { scope?: string } = scope ? { scope } : {};
  return { authorizationServerUrl, resource, scoped, ...(metadata && { metadata }) };
}

function fetchClientTokens(
  library: Library,
  fetchFn: Fetch,
  account: OAuthAccount,
  { scope }: { scope?: string | undefined },
): Promise<OAuthTokens> {
  const { clientInformation, ...options } = toOptions(account);
  const provider = {
    clientMetadata: {},
    clientInformation: () => clientInformation,
    prepareTokenRequest: () => new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
  };
  return library.fetchToken(provider as never, account.authorizationServerUrl, { ...options, fetchFn });
}

function toOptions({ client, metadata, resource }: OAuthAccount) {
  return {
    clientInformation: client,
    ...(metadata && { metadata: metadata as unknown as AuthorizationServerMetadata }),
    ...(resource !== undefined && { resource: new URL(resource) }),
  };
}

function findKnownClient(
  known: OAuthAccount | undefined,
  place: Pick<OAuthAccount, 'authorizationServerUrl' | 'redirectUri'>,
): OAuthClient | undefined {
  const isSame =
    known?.authorizationServerUrl === place.authorizationServerUrl && known.redirectUri === place.redirectUri;
  return isSame ? known.client : undefined;
}

/** A foreign document names the address that the owner's browser opens. */
function requireBrowsable(url: URL, allowPrivate: boolean): void {
  if (url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:')) return;
  throw new McpOAuthError('the authorization server has no https address', { isFinal: true });
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Returns the `fetch` of one exchange. */
function guard(http: SafeFetchClient, allowPrivate: boolean): Fetch {
  const expiresAt = elapsed() + TIMEOUT_MS;
  let requests = 0;
  return async (url, init = {}) => {
    requests += 1;
    if (requests > REQUESTS_MAX) throw new McpOAuthError('the authorization server needs too many requests');
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const result = await http.fetch(String(url), {
      method: (init.method ?? 'GET') as 'GET' | 'POST',
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        'accept-encoding': 'identity',
        'user-agent': 'Tollgate/1.0 (MCP)',
      },
      ...(body !== undefined && { body }),
      timeoutMs: Math.max(1, expiresAt - elapsed()),
      maxResponseBytes: RESPONSE_BYTES_MAX,
      allowPrivate,
    });
    if (!result.ok) throw new McpOAuthError(result.message);
    const headers = new Headers();
    for (const name of ['content-type', 'www-authenticate']) {
      const value = result.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const { status } = result;
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(result.body), { status, headers });
  };
}

/** A request without tokens: its refusal names the metadata of the server (RFC 9728). */
function probe(fetchFn: Fetch, endpointUrl: string): Promise<Response> {
  return fetchFn(endpointUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
}

/** Refusals of RFC 6749 that another attempt does not change. */
const finalCodes = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'access_denied',
  'invalid_scope',
]);

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof McpOAuthError) throw cause;
    const code = typeof cause === 'object' && cause !== null && 'errorCode' in cause ? String(cause.errorCode) : '';
    const text = cause instanceof Error ? cause.message : 'the authorization server could not be used';
    throw new McpOAuthError(code === '' ? text : `${code}: ${text}`, { isFinal: finalCodes.has(code), cause });
  }
}
