import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { mcpMessageBody, mcpResponse } from '@tollgate/api/runs';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../../context.js';
import { requireProjectInfo } from '../../exchange/project-scope.js';
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
    'One JSON-RPC message per request (streamable HTTP). `tools/list` returns the agents of the credential’s project, `tools/call` runs one as `/projects/{id}/agents/{slug}/run` does and streams its progress, `notifications/cancelled` cancels that run. Send the `Mcp-Session-Id` of the answer to `initialize` with every later message: within it, a request id starts one run only, however often the call is repeated before the run has ended. Customers get 403 if the project’s `mcp_for_customers` is false.',
  auth: ['secret_key', 'customer'],
  body: mcpMessageBody,
  success: { status: 200, schema: mcpResponse },
  alsoAnswers: [{ status: 200, schema: mcpResponse, contentType: 'text/event-stream' }, { status: 202 }],
  refusals: [404],
  idempotent: false,
  errorShape: 'openai',
  timeoutMs: AGENT_RUN_TIMEOUT_MS,
  async handler({ body, headers, principal, call, ids }, ctx) {
    await requireOffered(ctx, principal);
    const sessionId = readSession(headers);
    if (body.method === 'notifications/cancelled') await cancelCall(ctx, sessionId, body.params, call);
    const opened: Record<string, string> = body.method === 'initialize' ? { [SESSION_HEADER]: randomUUID() } : {};
    // The protocol's library is large; few installations are asked for it.
    const { answerMessage } = await import('./answer-message.js');
    return answerMessage({ ctx, principal, call, sessionId, requestId: ids.requestId }, body, headers, opened);
  },
});

/** A key acts for the owner, also when it names a customer. @throws AppError FORBIDDEN */
async function requireOffered(ctx: Pick<Context, 'directory'>, principal: Principal): Promise<void> {
  if (principal.kind !== PrincipalKind.CUSTOMER) return;
  if ((await requireProjectInfo(ctx, principal)).mcpForCustomers) return;
  throw new AppError('FORBIDDEN', 'this project does not offer its agents to customers as tools');
}

function readSession(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers[SESSION_HEADER.toLowerCase()];
  if (sent === undefined || isLowerCaseUuid(String(sent))) return sent as string | undefined;
  throw new AppError('NOT_FOUND', `${SESSION_HEADER} names no session: send initialize again`);
}
