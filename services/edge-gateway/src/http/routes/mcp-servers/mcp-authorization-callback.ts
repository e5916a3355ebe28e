import { mcpAuthorizationCallbackQuery } from '@tollgate/api/hooks';
import { readStateServer } from '../../../domain/mcp-authorization-state.js';
import { defineRoute } from '../../exchange/route.js';

/** The redirect URI of authorizations, under PUBLIC_BASE_URL. */
export const MCP_CALLBACK_PATH = '/api/v1/mcp-servers/oauth/callback';

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
