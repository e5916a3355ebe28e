import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { contentPart } from '@tollgate/api/model-requests';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { AwaitAgentRunResponse } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { AppError, asAppError, errorForAudience, isAppError, isErrorCode } from '@tollgate/errors';
import { z } from 'zod';
import { agentRunJson } from '../agents/agent-runs.js';
import type { McpCaller } from './mcp-caller.js';

const assistantMessage = z.object({ role: z.string(), content: z.array(contentPart).default([]) });

/** Renders the end of a run: the agent's answer, or an error that the calling model can act on. `_meta` has the run. */
export function toToolResult(caller: McpCaller, result: AwaitAgentRunResponse): CallToolResult {
  const { run_id, status, output, usage } = agentRunJson(result, []);
  const _meta = { run_id, status, usage };
  const content = toContent(output);
  if (status === 'succeeded') return { content, _meta };
  const { code = '', message = '' } = result.error ?? {};
  const text =
    status === 'canceled' ? `The run ${run_id} was canceled.` : explain(caller, toError(code, message), code);
  return { content: [...content, { type: 'text', text }], isError: true, _meta };
}

/** Renders an error before the end of a run as a result. */
export function toErrorResult(caller: McpCaller, error: unknown): CallToolResult {
  if (!isAppError(error) || error.code === 'INTERNAL_ERROR') {
    caller.ctx.logger.error({ err: error, request_id: caller.requestId }, 'tool call failed');
  }
  const known = asAppError(error);
  return { content: [{ type: 'text', text: explain(caller, known, known.code) }], isError: true };
}

/** Renders arguments that do not fit the tool's schema. The model can correct them. */
export function invalidArguments(fault: string): CallToolResult {
  const text = `${fault}. Correct the arguments and call the tool again.`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** An agent's own code, such as AGENT_LIMIT_REACHED, is not in the catalog; its message is the engine's. */
function toError(code: string, message: string): AppError {
  return new AppError(isErrorCode(code) ? code : 'INTERNAL_ERROR', message || 'the run failed');
}

function explain({ principal, requestId }: McpCaller, thrown: AppError, code: string): string {
  const error = errorForAudience(thrown, principal.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project');
  const shown = error === thrown ? code || error.code : error.code;
  return `${shown}: ${error.message}. ${adviseOn(error, code)} (request ${requestId})`;
}

function adviseOn(error: AppError, code: string): string {
  if (error.status === 402)
    return 'Raise the limit that the code names, for example by a top-up or another plan, then call again.';
  if (!isErrorCode(code)) return 'The agent could not finish: change the input, or ask the owner of the agent.';
  if (error.retryable) return 'Call the tool again later.';
  return error.status < 500 ? 'Correct the call before you repeat it.' : 'Report the request if it fails again.';
}

function toContent(output: unknown): ContentBlock[] {
  const messages = z.array(assistantMessage).safeParse(output);
  if (!messages.success) return [];
  const last = messages.data.filter(({ role }) => role === 'assistant').at(-1);
  return (last?.content ?? []).map(toBlock);
}

function toBlock(part: z.output<typeof contentPart>): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { data_base64: data, mime_type: mimeType, filename } = part.file;
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return {
    type: 'resource',
    resource: { uri: `file:///${encodeURIComponent(filename ?? 'file')}`, mimeType, blob: data },
  };
}
