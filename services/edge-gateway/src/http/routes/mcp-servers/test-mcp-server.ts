import { testMcpServerResponse } from '@tollgate/api/hooks';
import { enforceProjectLimit } from '../../../limits/rate-limit.js';
import { endpointRoute } from './mcp-server-route.js';
import { mcpTestJson } from './render.js';

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
