import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { findBaseUrl, MCP_METADATA_PATH, MCP_PATH } from '../../answer/challenge.js';
import { defineRoute } from '../../exchange/route.js';

const metadata = z.object({
  resource: z.url(),
  resource_name: z.string(),
  bearer_methods_supported: z.array(z.literal('header')),
  resource_documentation: z.url(),
});

export const getMcpMetadata = defineRoute({
  method: 'GET',
  path: MCP_METADATA_PATH,
  tag: 'Agents',
  summary: 'Describe how clients authenticate at `/v1/mcp` (RFC 9728)',
  operationId: 'getMcpMetadata',
  description:
    'A 401 of `/v1/mcp` names this document. It lists no authorization server: clients send a secret key or a customer token as a bearer token.',
  auth: 'none',
  success: { status: 200, schema: metadata },
  handler: async ({ headers }, ctx) => {
    const base = findBaseUrl(ctx, headers.host);
    if (base === undefined) throw new AppError('INVALID_INPUT', 'the Host header names no host');
    return {
      body: {
        resource: `${base}${MCP_PATH}`,
        resource_name: 'Tollgate',
        bearer_methods_supported: ['header'],
        resource_documentation: `${base}/docs`,
      },
    };
  },
});
