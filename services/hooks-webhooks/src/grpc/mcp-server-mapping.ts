import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  CallMcpToolRequest,
  McpListingSchema,
  McpServerSchema,
  TestMcpServerResponseSchema,
} from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { isJsonObject } from '@tollgate/runtime';
import type { McpReply } from '../clients/mcp-failure.js';
import { parseJson } from '../domain/json-value.js';
import type { McpCall } from '../domain/mcp/mcp-call.js';
import type { McpServer } from '../domain/mcp/mcp-server.js';
import type { Listing } from '../domain/mcp/offered-tools.js';
import type { NamedListing } from '../operations/mcp/list-mcp-tools.js';

export function mcpServerToProto(server: McpServer): MessageInitShape<typeof McpServerSchema> {
  const { secret: _, createdAt, updatedAt, ...fields } = server;
  return { ...fields, createdAt: timestampFromDate(createdAt), updatedAt: timestampFromDate(updatedAt) };
}

export function testResultToProto(
  reply: McpReply<Listing>,
  latencyMs: number,
): MessageInitShape<typeof TestMcpServerResponseSchema> {
  if (reply.ok) {
    const { tools, refused: refusedTools } = reply.value;
    return { status: 'success', latencyMs, tools: tools.map(toToolMessage), refusedTools };
  }
  const { message, serverText: error = message, isTimeout, status: responseStatus } = reply;
  const more = responseStatus === undefined ? {} : { responseStatus };
  return { status: isTimeout ? 'timeout' : 'error', latencyMs, error, ...more };
}

export function listingToProto({ name: server, reply }: NamedListing): MessageInitShape<typeof McpListingSchema> {
  if (reply.ok) return { server, tools: reply.value.tools.map(toToolMessage) };
  return { server, error: reply.message || 'the server could not be used', retryable: reply.isRetryable };
}

function toToolMessage({ name, tool, description, parametersJson }: Listing['tools'][number]) {
  return { name, tool, description, parametersJson };
}

/** Reads a call for the project of the caller's principal. */
export function toMcpCall(req: CallMcpToolRequest, call: Call): McpCall {
  const { server, toolName, executionId, toolCallId } = req;
  const argumentsJson = req.argumentsJson || '{}';
  if (executionId === '') throw invalid('execution_id');
  if (toolCallId === '') throw invalid('tool_call_id');
  if (!isJsonObject(parseJson(argumentsJson))) throw invalid('arguments_json');
  const ids = { executionId, toolCallId, callId: req.callId || toolCallId };
  return { projectId: requireAnyProject(call), server, toolName, argumentsJson, ...ids };
}

/** Returns the project of a caller whose request may use tools. */
export function requireAnyProject(call: Call): string {
  const { projectId } = call.requirePrincipal();
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  return projectId;
}

function invalid(field: string): AppError {
  return new AppError('INVALID_INPUT', `${field} is missing or invalid`);
}
