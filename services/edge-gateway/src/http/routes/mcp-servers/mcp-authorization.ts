import {
  authorizeMcpServerBody,
  authorizeMcpServerResponse,
  completeMcpAuthorizationBody,
  connectMcpClientBody,
  mcpAuthorizationCallbackQuery,
  mcpServerResponse,
} from '@tollgate/api/hooks';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { readStateServer } from '../../../domain/oauth-state.js';
import { enforceProjectLimit } from '../../../limits/rate-limit.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { endpointRoute, mcpServerJson } from './mcp-servers.js';

/** Of all servers of a project: each asks foreign servers. */
const AUTHORIZATIONS_PER_MINUTE = 20;

/** @throws AppError RATE_LIMIT when a project connects servers too often */
function enforceAuthorizationLimit(call: Call, ctx: Pick<Context, 'rateStore'>): Promise<void> {
  return enforceProjectLimit('mcp-authorize', call.requirePrincipal().projectId, AUTHORIZATIONS_PER_MINUTE, ctx);
}

export const authorizeMcpServer = endpointRoute({
  method: 'POST',
  action: '/authorize',
  summary: 'Start connecting an MCP server to an account (OAuth)',
  operationId: 'authorizeMcpServer',
  description:
    'Finds the authorization server that the MCP server names and returns the URL at which you allow Tollgate to use the server. The authorization server redirects the browser to `<PUBLIC_BASE_URL>/api/v1/mcp-servers/oauth/callback`, and the console completes the connection. Only the session that started it can complete it, once, within ten minutes.',
  body: authorizeMcpServerBody,
  success: { status: 200, schema: authorizeMcpServerResponse },
  timeoutMs: 30_000,
  refusals: [409],
  async handler({ id, body, headers, call }, ctx) {
    await enforceAuthorizationLimit(call, ctx);
    const { authorizationUrl, expiresInSeconds } = await ctx.clients.mcpServers.authorizeMcpServer(
      {
        id,
        redirectUri: `${publicBaseUrl(ctx, headers)}${MCP_CALLBACK_PATH}`,
        clientId: body.client_id ?? '',
        clientSecret: body.client_secret ?? '',
        scope: body.scope ?? '',
      },
      call,
    );
    return {
      body: { authorization_url: authorizationUrl, expires_in: expiresInSeconds },
      headers: { 'Cache-Control': 'no-store' },
    };
  },
});

/** The redirect URI of authorizations, under PUBLIC_BASE_URL. */
const MCP_CALLBACK_PATH = '/api/v1/mcp-servers/oauth/callback';

/**
 * The redirect target of authorization servers. Exchanges nothing: a browser sends no credential here, and the account must be
 * connected by the session that asked for it. The code travels on in the fragment, which no server sees.
 */
export const mcpAuthorizationCallback = defineRoute({
  method: 'GET',
  path: '/mcp-servers/oauth/callback',
  tag: 'MCP servers',
  summary: 'Return from an authorization server to the console; called by browsers only',
  operationId: 'returnFromMcpAuthorization',
  description: 'Redirects to the page of the MCP server in the console, which completes the connection.',
  auth: 'none',
  query: mcpAuthorizationCallbackQuery,
  ignoresUnknownQuery: true,
  success: { status: 303 },
  handler: async ({ query: { state, code, iss, error } }) => {
    const server = readStateServer(state);
    const page = server ? `/console/p/${server.projectId}/mcp-servers/${server.serverId}` : '/console/';
    const answer = new URLSearchParams({ state });
    if (code !== undefined) answer.set('code', code);
    if (iss !== undefined) answer.set('iss', iss);
    if (code === undefined) answer.set('error', error ?? 'invalid_answer');
    return {
      status: 303,
      headers: { Location: `${page}#${answer}`, 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' },
    };
  },
});

export const completeMcpAuthorization = endpointRoute({
  method: 'POST',
  action: '/authorization',
  summary: 'Complete the connection of an MCP server to an account',
  operationId: 'completeMcpAuthorization',
  description:
    'Exchanges the code that the authorization server sent back. Called by the console; only in the session that started the connection.',
  body: completeMcpAuthorizationBody,
  success: { status: 200, schema: mcpServerResponse },
  audit: 'mcp_server.connected',
  timeoutMs: 30_000,
  refusals: [409],
  async handler({ id, body: { state, code, iss }, call }, { clients }) {
    const { server } = await clients.mcpServers.completeMcpAuthorization({ id, state, code, issuer: iss ?? '' }, call);
    return { body: { server: mcpServerJson(server) } };
  },
});

export const connectMcpClient = endpointRoute({
  method: 'PUT',
  action: '/client-credentials',
  summary: 'Connect an MCP server with client credentials (OAuth)',
  operationId: 'connectMcpClient',
  description:
    'For servers that act for no account: Tollgate gets access tokens for the client itself, at the authorization server that the MCP server names, and renews them. The first token is fetched at once; with credentials that are refused, nothing changes and the answer is 409 with the reason. Replaces an account that is connected. `DELETE …/authorization` forgets the credentials.',
  body: connectMcpClientBody,
  success: { status: 200, schema: mcpServerResponse },
  audit: 'mcp_server.connected',
  timeoutMs: 30_000,
  refusals: [409],
  async handler({ id, body, call }, ctx) {
    await enforceAuthorizationLimit(call, ctx);
    const { client_id: clientId, client_secret: clientSecret, scope } = body;
    const { server } = await ctx.clients.mcpServers.connectMcpClient(
      { id, clientId, clientSecret, scope: scope ?? '' },
      call,
    );
    return { body: { server: mcpServerJson(server) } };
  },
});

export const disconnectMcpServer = endpointRoute({
  method: 'DELETE',
  action: '/authorization',
  summary: 'Disconnect an MCP server from its account',
  operationId: 'disconnectMcpServer',
  description: 'Deletes the tokens. To end them at the authorization server too, revoke the access there.',
  success: { status: 204 },
  audit: 'mcp_server.disconnected',
  async handler({ id, call }, { clients }) {
    await clients.mcpServers.disconnectMcpServer({ id }, call);
    return { status: 204 };
  },
});
