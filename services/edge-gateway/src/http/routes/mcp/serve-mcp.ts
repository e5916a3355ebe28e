import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { mcpMessageBody, mcpResponse } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import { defineRoute } from '../../exchange/route.js';
import { AGENT_RUN_TIMEOUT_MS } from '../agents/agent-run.js';
import { cancelCall } from './cancel-call.js';

/** A session is a random name that its client sends: it gives the ids of JSON-RPC requests a scope. Nothing is stored. */
const SESSION_HEADER = 'Mcp-Session-Id';

export const serveMcp = defineRoute({
  method: 'POST',
  path: '/v1/mcp',
  tag: 'Agents',
  summary: "Serve the project's agents as tools of the Model Context Protocol",
  operationId: 'sendMcpMessage',
  description:
    'One JSON-RPC message per request (streamable HTTP). `tools/list` returns the agents of the credential’s project, `tools/call` runs one as `/projects/{id}/agents/{slug}/run` does and streams its progress, `notifications/cancelled` cancels that run. Send the `Mcp-Session-Id` of the answer to `initialize` with every later message: within it, a request id starts one run only, however often the call is repeated.',
  auth: ['secret_key', 'customer'],
  body: mcpMessageBody,
  success: { status: 200, schema: mcpResponse },
  alsoAnswers: [{ status: 200, schema: mcpResponse, contentType: 'text/event-stream' }, { status: 202 }],
  refusals: [404],
  errorShape: 'openai',
  timeoutMs: AGENT_RUN_TIMEOUT_MS,
  async handler({ body, headers, principal, call, ids }, ctx) {
    const sessionId = readSession(headers);
    if (body.method === 'notifications/cancelled') await cancelCall(ctx, sessionId, body.params, call);
    const opened: Record<string, string> = body.method === 'initialize' ? { [SESSION_HEADER]: randomUUID() } : {};
    // The protocol's library is large; few installations are asked for it.
    const { answerMessage } = await import('./answer-message.js');
    return answerMessage({ ctx, principal, call, sessionId, requestId: ids.requestId }, body, headers, opened);
  },
});

function readSession(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers[SESSION_HEADER.toLowerCase()];
  if (sent === undefined || isLowerCaseUuid(String(sent))) return sent as string | undefined;
  throw new AppError('NOT_FOUND', `${SESSION_HEADER} names no session: send initialize again`);
}
