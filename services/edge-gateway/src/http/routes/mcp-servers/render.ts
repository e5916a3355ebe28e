import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { McpServer, McpTool, TestMcpServerResponse } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';

export function mcpServerJson(server: McpServer | undefined) {
  const { id, projectId, name, endpointUrl, enabled, timeoutMs, toolsAllowlist, headerNames } = server!;
  return {
    id,
    project_id: projectId,
    name,
    endpoint_url: endpointUrl,
    enabled,
    timeout_ms: timeoutMs,
    tools_allowlist: toolsAllowlist,
    header_names: headerNames,
    authorization_status: server!.authorizationStatus,
    created_at: timestampDate(server!.createdAt!).toISOString(),
    updated_at: timestampDate(server!.updatedAt!).toISOString(),
  };
}

export function mcpTestJson({ status, responseStatus, latencyMs, error, tools, refusedTools }: TestMcpServerResponse) {
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
