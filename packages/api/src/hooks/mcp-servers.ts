import { z } from 'zod';
import { pageQuery } from '../values/paging.js';

export const mcpServerTestStatuses = ['success', 'timeout', 'error'] as const;

export const mcpAuthorizationStatuses = ['none', 'authorized', 'authorization_required'] as const;

const TOOLS_MAX = 1_000;
const HEADERS_MAX = 100;

/** Only JSON types are checked here; hooks-webhooks validates the values and reports faults by field. */
const settings = {
  endpoint_url: z.string().nullish().describe('https; speaks MCP over streamable HTTP'),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, { message: 'has too many entries' })
    .nullish()
    .describe('sent with every request, for example `Authorization`; stored encrypted and never returned'),
  enabled: z.boolean().nullish(),
  timeout_ms: z
    .int()
    .min(-2_147_483_648)
    .max(2_147_483_647)
    .nullish()
    .describe('of each listing and each call: 1 to 120000, default 30000'),
  tools_allowlist: z
    .array(z.string())
    .max(TOOLS_MAX)
    .nullish()
    .describe('names of the tools at the server that models may call; empty = every tool'),
};

/** `POST /projects/{id}/mcp-servers` */
export const createMcpServerBody = z.object({
  name: z
    .string()
    .nullish()
    .describe('required; unique in the project; at most 20 lower-case letters and digits, in words joined by "-"'),
  ...settings,
});

/** `PUT /projects/{id}/mcp-servers/{mcp_server_id}`: absent fields keep their values; headers are replaced together. */
export const updateMcpServerBody = z.object(settings);

export const listMcpServersQuery = pageQuery(50, 200);

/** Answer record of an MCP server. */
export const mcpServerSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  name: z.string(),
  endpoint_url: z.string(),
  enabled: z.boolean(),
  timeout_ms: z.int(),
  tools_allowlist: z.array(z.string()),
  header_names: z.array(z.string()).describe('the names of the headers, without their values'),
  authorization_status: z
    .enum(mcpAuthorizationStatuses)
    .describe(
      'whether an access token of an OAuth account or client is sent; `authorization_required`: the authorization is lost, its tokens are no longer accepted, and an owner has to connect the server again',
    ),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** `POST /projects/{id}/mcp-servers/{mcp_server_id}/authorize` */
export const authorizeMcpServerBody = z.object({
  client_id: z
    .string()
    .min(1)
    .max(512)
    .nullish()
    .describe('of a client that you registered; absent: Tollgate registers one, or uses the one of the last time'),
  client_secret: z.string().min(1).max(2_048).nullish().describe('of that client; absent: a public client'),
  scope: z.string().min(1).max(2_048).nullish().describe('absent: what the server asks for'),
});
export const authorizeMcpServerResponse = z.object({
  authorization_url: z.string().describe('to open in a browser in which the same session uses the console'),
  expires_in: z.int().describe('seconds'),
});

/** `PUT /projects/{id}/mcp-servers/{mcp_server_id}/client-credentials` */
export const connectMcpClientBody = z.object({
  client_id: z.string().min(1).max(512),
  client_secret: z.string().min(1).max(2_048).describe('stored encrypted and never returned'),
  scope: z.string().min(1).max(2_048).nullish().describe('absent: what the server asks for'),
});

/** Query with which an authorization server redirects the browser back. */
export const mcpAuthorizationCallbackQuery = z.object({
  state: z.string().max(1_024).default(''),
  code: z.string().max(4_096).optional(),
  iss: z.string().max(2_048).optional(),
  error: z.string().max(1_024).optional(),
});

/** `POST /projects/{id}/mcp-servers/{mcp_server_id}/authorization` */
export const completeMcpAuthorizationBody = z.object({
  state: z.string().min(1).max(1_024),
  code: z.string().min(1).max(4_096),
  iss: z.string().max(2_048).nullish().describe('the issuer, if the authorization server reported it (RFC 9207)'),
});

/** A tool of an MCP server as models see it. */
export const mcpToolSchema = z.object({
  name: z.string().describe('the name for models and mocks: `mcp__<server>__<tool>`'),
  tool: z.string().describe('the name at the server'),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
});

export const refusedMcpToolSchema = z.object({ tool: z.string(), reason: z.string() });

export const mcpServerResponse = z.object({ server: mcpServerSchema });
export const listMcpServersResponse = z.object({
  servers: z.array(mcpServerSchema),
  next_cursor: z.string().optional(),
});
export const testMcpServerResponse = z.object({
  status: z.enum(mcpServerTestStatuses),
  response_status: z.int().nullable().describe('the HTTP status of the answer that failed'),
  latency_ms: z.int(),
  error: z.string().nullable(),
  tools: z.array(mcpToolSchema),
  refused_tools: z.array(refusedMcpToolSchema).describe('tools that are not offered to models, with the reason'),
});
