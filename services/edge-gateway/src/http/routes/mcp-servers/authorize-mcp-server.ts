import { authorizeMcpServerBody, authorizeMcpServerResponse } from '@tollgate/api/hooks';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { enforceProjectLimit } from '../../../limits/rate-limit.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { MCP_CALLBACK_PATH } from './mcp-authorization-callback.js';
import { endpointRoute } from './mcp-server-route.js';

/** Of all servers of a project: each asks foreign servers. */
const AUTHORIZATIONS_PER_MINUTE = 20;

/** @throws AppError RATE_LIMIT when a project connects servers too often */
export function enforceAuthorizationLimit(call: Call, ctx: Pick<Context, 'rateStore'>): Promise<void> {
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
