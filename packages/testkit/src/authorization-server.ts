import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from './http-server.js';

export interface AuthorizationServerOptions {
  /** Lifetime of access tokens. */
  expiresInSeconds: number;
  /** Whether clients register themselves (RFC 7591). Default: yes. */
  registersClients?: boolean;
  /** The status of every answer of the token endpoint, if it is down. */
  downStatus?: number;
  /** Secrets of clients that get tokens for themselves, by their ids; a test may change them. */
  clientSecrets?: Record<string, string>;
  /** How long a refresh takes. */
  refreshMs?: number;
}

/** An OAuth 2.1 authorization server that approves everything: PKCE, rotating refresh tokens, each of which works once. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly options: AuthorizationServerOptions;
  /** The fields of all requests to the token endpoint, oldest first. */
  readonly tokenRequests: readonly Record<string, string>[];
  /** The bodies of all registrations. */
  readonly registrations: readonly Record<string, unknown>[];
  /** Whether an `Authorization` header has an access token in force. */
  accepts(authorization: string | undefined): boolean;
  /** Ends all access tokens in force; refresh tokens stay. */
  endAccess(): void;
  /** Ends all tokens. */
  revoke(): void;
  stop(): Promise<void>;
}

interface Grant {
  clientId: string;
  redirectUri: string;
  challenge: string;
  resource: string | null;
}

/** Starts a server on the loopback interface. */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions = { expiresInSeconds: 3_600 },
): Promise<AuthorizationServer> {
  const tokenRequests: Record<string, string>[] = [];
  const registrations: Record<string, unknown>[] = [];
  const codes = new Map<string, Grant>();
  const access = new Set<string>();
  const refresh = new Map<string, Grant>();
  let issuer = '';

  const issue = (grant: Grant) => {
    const [accessToken, refreshToken] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    access.add(accessToken);
    refresh.set(refreshToken, grant);
    const { expiresInSeconds: expires_in } = options;
    return { access_token: accessToken, refresh_token: refreshToken, token_type: 'Bearer', expires_in };
  };

  function answerToken(fields: Record<string, string>): [number, object] {
    if (fields.grant_type === 'authorization_code') {
      const grant = codes.get(fields.code ?? '');
      codes.delete(fields.code ?? '');
      const challenge = createHash('sha256')
        .update(fields.code_verifier ?? '')
        .digest('base64url');
      const isRight =
        grant?.challenge === challenge &&
        grant.clientId === fields.client_id &&
        grant.redirectUri === fields.redirect_uri &&
        grant.resource === (fields.resource ?? null);
      return isRight ? [200, issue(grant)] : [400, { error: 'invalid_grant', error_description: 'wrong code' }];
    }
    if (fields.grant_type === 'client_credentials') {
      const secret = options.clientSecrets?.[fields.client_id ?? ''];
      if (secret === undefined || secret !== fields.client_secret) {
        return [401, { error: 'invalid_client', error_description: 'unknown client' }];
      }
      const token = `at-${randomUUID()}`;
      access.add(token);
      return [200, { access_token: token, token_type: 'Bearer', expires_in: options.expiresInSeconds }];
    }
    const grant = refresh.get(fields.refresh_token ?? '');
    refresh.delete(fields.refresh_token ?? '');
    if (grant?.clientId !== fields.client_id) return [400, { error: 'invalid_grant', error_description: 'used' }];
    return [200, issue(grant as Grant)];
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', issuer);
    const send = (status: number, body: object) =>
      void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const text = await readText(req);
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        authorization_response_iss_parameter_supported: true,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        ...(options.registersClients !== false && { registration_endpoint: `${issuer}/register` }),
      });
    }
    if (url.pathname === '/register') {
      const asked = JSON.parse(text) as Record<string, unknown>;
      registrations.push(asked);
      return send(201, { ...asked, client_id: `client-${registrations.length}` });
    }
    if (url.pathname === '/authorize') {
      const asked = url.searchParams;
      const code = randomUUID();
      const [clientId, redirectUri, challenge] = [
        asked.get('client_id') ?? '',
        asked.get('redirect_uri') ?? '',
        asked.get('code_challenge') ?? '',
      ];
      codes.set(code, { clientId, redirectUri, challenge, resource: asked.get('resource') });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer }).toString();
      res.writeHead(302, { location: back.href }).end();
      return;
    }
    if (url.pathname !== '/token') return send(404, {});
    const fields = Object.fromEntries(new URLSearchParams(text));
    tokenRequests.push(fields);
    if (options.downStatus !== undefined) return send(options.downStatus, {});
    await new Promise((resolve) => setTimeout(resolve, options.refreshMs ?? 0));
    const [status, body] = answerToken(fields);
    send(status, body);
  }

  const http = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  issuer = `http://127.0.0.1:${await listenOnLoopback(http, 0)}`;
  return {
    issuer,
    options,
    tokenRequests,
    registrations,
    accepts: (authorization) => access.has(String(authorization).replace(/^Bearer /, '')),
    endAccess: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
    stop: () => closeServer(http),
  };
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
