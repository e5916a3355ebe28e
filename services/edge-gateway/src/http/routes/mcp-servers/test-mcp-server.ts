import { testMcpServerResponse } from '@tollgate/api/hooks';
import { whenSupported } from '../when-supported.js';
import { endpointRoute } from './mcp-server-route.js';
import { mcpTestJson } from './render.js';

/** Answers 200 even for a server that fails: the test was made, and the body has its result. */
export const testMcpServer = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'List the tools of an MCP server now',
  operationId: 'testMcpServer',
  description:
    'Returns the tools that models are offered, and those that are not with the reason. Works for a disabled server.',
  success: { status: 200, schema: testMcpServerResponse },
  // A server has up to 120 s to answer.
  timeoutMs: 130_000,
  async handler({ id, call }, { clients }) {
    return { body: mcpTestJson(await whenSupported(clients.mcpServers.testMcpServer({ id }, call))) };
  },
});
