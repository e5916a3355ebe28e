import {
  createMcpServerBody,
  listMcpServersQuery,
  listMcpServersResponse,
  mcpServerResponse,
  mcpServerSchema,
  testMcpServerResponse,
  updateMcpServerBody,
} from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import type { McpServer, McpTool, TestMcpServerResponse } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import type { z } from 'zod';
import { enforceProjectLimit } from '../../../limits/rate-limit.js';
import { endpointRoutes } from '../endpoint-routes.js';
import { toJson } from '../to-json.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'mcp-servers',
  idParam: 'mcp_server_id',
  tag: 'MCP servers',
  name: 'MCP server',
  errorShape: 'native',
});

export const listMcpServers = projectRoute({
  method: 'GET',
  summary: 'List MCP servers, oldest first',
  operationId: 'listMcpServers',
  description: 'Returns the servers of the project, without the values of their headers.',
  query: listMcpServersQuery,
  success: { status: 200, schema: listMcpServersResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.mcpServers.listMcpServers({ limit, offset }, call);
    const servers = page.servers.map(mcpServerJson);
    return { body: { servers, ...nextCursor(offset, servers.length, page.hasMore) } };
  },
});

export const createMcpServer = projectRoute({
  method: 'POST',
  summary: 'Register an MCP server',
  operationId: 'createMcpServer',
  description:
    'The server speaks streamable HTTP in a version of the Model Context Protocol up to 2026-07-28. Agents name it in `tools` (`{"mcp_server": "<name>"}`) and nodes of runs in `mcp_servers`. Models may then call its tools; the calls are recorded in the run and pass the tool hooks. The values of `headers` are stored encrypted and never returned.',
  body: createMcpServerBody,
  success: { status: 201, schema: mcpServerResponse },
  refusals: [409],
  audit: 'mcp_server.created',
  async handler({ body, call }, { clients }) {
    const { server } = await clients.mcpServers.createMcpServer(
      {
        ...mcpServerSettings(body),
        name: body.name ?? '',
        endpointUrl: body.endpoint_url ?? '',
        headers: body.headers ?? {},
        toolsAllowlist: body.tools_allowlist ?? [],
      },
      call,
    );
    return { status: 201, body: { server: mcpServerJson(server) } };
  },
});

export const getMcpServer = endpointRoute({
  method: 'GET',
  summary: 'Get an MCP server',
  operationId: 'getMcpServer',
  description: 'Returns the settings of a server, without the values of its headers.',
  success: { status: 200, schema: mcpServerResponse },
  async handler({ id, call }, { clients }) {
    const { server } = await clients.mcpServers.getMcpServer({ id }, call);
    return { body: { server: mcpServerJson(server) } };
  },
});

export const updateMcpServer = endpointRoute({
  method: 'PUT',
  summary: 'Update an MCP server or its credentials',
  operationId: 'updateMcpServer',
  description:
    'Omitted fields keep their values. `headers` replaces all headers. A new origin of `endpoint_url` without `headers` removes them: they may not be meant for the new host.',
  body: updateMcpServerBody,
  success: { status: 200, schema: mcpServerResponse },
  refusals: [409],
  audit: 'mcp_server.updated',
  async handler({ id, body, call }, { clients }) {
    const { server } = await clients.mcpServers.updateMcpServer(
      {
        ...mcpServerSettings(body),
        ...(typeof body.endpoint_url === 'string' && { endpointUrl: body.endpoint_url }),
        ...(body.headers && { headers: { headers: body.headers } }),
        ...(body.tools_allowlist && { toolsAllowlist: { tools: body.tools_allowlist } }),
        id,
      },
      call,
    );
    return { body: { server: mcpServerJson(server) } };
  },
});

export const deleteMcpServer = endpointRoute({
  method: 'DELETE',
  summary: 'Delete an MCP server',
  operationId: 'deleteMcpServer',
  description: 'Agents and runs that name the server cannot call its tools from now on. The name is free again.',
  success: { status: 204 },
  audit: 'mcp_server.deleted',
  async handler({ id, call }, { clients }) {
    await clients.mcpServers.deleteMcpServer({ id }, call);
    return { status: 204 };
  },
});

/** Of all servers of a project: each test asks a foreign server and checks the schemas of its tools. */
const TESTS_PER_MINUTE = 20;

/** Answers 200 even for a server that fails: the test was made, and the body has its result. */
export const testMcpServer = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'List the tools of an MCP server now',
  operationId: 'testMcpServer',
  description:
    'Returns the tools that models are offered, and those that are not with the reason. Works for a disabled server. A project may test its servers 20 times per minute.',
  success: { status: 200, schema: testMcpServerResponse },
  // A server has up to 120 s to answer.
  timeoutMs: 130_000,
  async handler({ id, call }, ctx) {
    await enforceProjectLimit('mcp-test', call.requirePrincipal().projectId, TESTS_PER_MINUTE, ctx);
    return { body: mcpTestJson(await ctx.clients.mcpServers.testMcpServer({ id }, call)) };
  },
});

/** Converts the settings of a body for the service; null counts as absent. */
function mcpServerSettings({ enabled, timeout_ms: timeoutMs }: z.output<typeof updateMcpServerBody>) {
  return {
    ...(typeof enabled === 'boolean' && { enabled }),
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
  };
}

export function mcpServerJson(server: McpServer | undefined) {
  return toJson(mcpServerSchema, server!, {});
}

function mcpTestJson({ status, responseStatus, latencyMs, error, tools, refusedTools }: TestMcpServerResponse) {
  return {
    status,
    response_status: responseStatus ?? null,
    latency_ms: latencyMs,
    error: error ?? null,
    tools: tools.map(mcpToolJson),
    refused_tools: refusedTools.map(({ tool, reason }) => ({ tool, reason })),
  };
}

function mcpToolJson({ name, tool, description, parametersJson }: McpTool) {
  return { name, tool, description, parameters: JSON.parse(parametersJson) };
}
