import { AppError } from '@tollgate/errors';
import { parseExactJson } from '@tollgate/runtime';
import type { Context } from '../context.js';
import type { ToolOutcome } from '../domain/turn-tools.js';
import type { ToolRun } from './tool-run.js';

/** Longer than the timeout of any server, with the listing of its tools. */
const CALL_TIMEOUT_MS = 250_000;

/**
 * Calls a tool of an MCP server. hooks-webhooks has the server's credentials, and records the result before it is used. A
 * failure of the server is a result.
 *
 * @throws AppError when hooks-webhooks is unavailable; the call may be repeated under the same ids
 */
export async function callMcpTool(
  { mcpServers }: Pick<Context, 'mcpServers'>,
  { server, name, argumentsJson }: { server: string; name: string; argumentsJson: string },
  { call, holdId: executionId, toolCallId, callId }: ToolRun,
): Promise<ToolOutcome> {
  const request = { server, toolName: name, argumentsJson, executionId, toolCallId, callId: callId ?? toolCallId };
  const { resultJson } = await mcpServers.callMcpTool(request, call.with({ timeoutMs: CALL_TIMEOUT_MS }));
  return { output: parseResult(resultJson) };
}

function parseResult(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch (cause) {
    throw new AppError('INTERNAL_ERROR', 'the result of the MCP server is not JSON', { cause });
  }
}
