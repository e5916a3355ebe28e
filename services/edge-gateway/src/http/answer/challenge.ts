import type { IncomingMessage } from 'node:http';
import type { Context } from '../../context.js';

export const MCP_PATH = '/v1/mcp';
/** RFC 9728: the path of the resource follows the well-known name. */
export const MCP_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

/** Returns `WWW-Authenticate` of a 401: clients of the Model Context Protocol read there how to get a credential. */
export function challenge({
  ctx,
  req,
  route,
}: {
  ctx: Pick<Context, 'config'>;
  req: Pick<IncomingMessage, 'headers'>;
  route: { path: string };
}): string {
  if (route.path !== MCP_PATH) return 'Bearer';
  const base = findBaseUrl(ctx, req.headers.host);
  return base === undefined ? 'Bearer' : `Bearer resource_metadata="${base}${MCP_METADATA_PATH}"`;
}

/** Returns the address that the client used, if none is configured and it can be part of a header. */
export function findBaseUrl({ config }: Pick<Context, 'config'>, host: string | undefined): string | undefined {
  if (config.publicBaseUrl !== undefined) return config.publicBaseUrl.replace(/\/$/, '');
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `http://${host}` : undefined;
}
