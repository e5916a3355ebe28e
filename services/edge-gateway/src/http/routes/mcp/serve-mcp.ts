import { mcpMessageBody, mcpResponse } from '@tollgate/api/runs';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { requireProjectInfo } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { defineRoute } from '../../exchange/route.js';
import { AGENT_RUN_TIMEOUT_MS } from '../agents/agent-runs.js';

export const serveMcp = defineRoute({
  method: 'POST',
  path: '/v1/mcp',
  tag: 'Agents',
  summary: "Serve the project's agents as tools of the Model Context Protocol",
  operationId: 'sendMcpMessage',
  description:
    'One JSON-RPC message per request (streamable HTTP), in every version of the protocol up to 2026-07-28. `tools/list` returns the agents of the credential’s project, `tools/call` runs one as `/projects/{id}/agents/{slug}/run` does and streams its progress, `notifications/cancelled` cancels that run. In version 2026-07-28 every request stands for itself: it names its version and client in `_meta` and in the headers `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`, and a client that closes its connection cancels the call. In earlier versions, send the `Mcp-Session-Id` of the answer to `initialize` with every later message: within it, a request id starts one run only, however often the call is repeated before the run has ended. Customers get 403 if the project’s `mcp_for_customers` is false.',
  auth: ['secret_key', 'customer'],
  body: mcpMessageBody,
  success: { status: 200, schema: mcpResponse },
  alsoAnswers: [
    { status: 200, schema: mcpResponse, contentType: 'text/event-stream' },
    { status: 202 },
    { status: 400, schema: mcpResponse },
    { status: 404, schema: mcpResponse },
  ],
  refusals: [404],
  idempotent: false,
  errorShape: 'openai',
  timeoutMs: AGENT_RUN_TIMEOUT_MS,
  async handler({ body, headers, principal, call, ids }, ctx) {
    await requireOffered(ctx, principal);
    // The protocol's library is large; few installations are asked for it.
    const { answerMessage } = await import('./answer-message.js');
    return answerMessage({ ctx, principal, call, requestId: ids.requestId }, body, headers);
  },
});

/** A key acts for the owner, also when it names a customer. @throws AppError FORBIDDEN */
async function requireOffered(ctx: Pick<Context, 'directory'>, principal: Principal): Promise<void> {
  if (principal.kind !== PrincipalKind.CUSTOMER) return;
  if ((await requireProjectInfo(ctx, principal)).mcpForCustomers) return;
  throw new AppError('FORBIDDEN', 'this project does not offer its agents to customers as tools');
}
