import { testConnectionResponse } from '@tollgate/api/connections';
import { endpointRoute } from './connection-route.js';
import { readEntry } from './render.js';
import { tryConnection } from './try-connection.js';

/** Answers 200 even for a connection that fails: the test was made, and the body has its result. */
export const testConnection = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'Ask a connection now',
  operationId: 'testConnection',
  description:
    'Sends a tiny request to the first model of the connection, which you pay the vendor for. A project may test its connections 30 times per minute, saving included.',
  success: { status: 200, schema: testConnectionResponse },
  timeoutMs: 40_000,
  async handler({ id, call }, ctx) {
    const { connection } = await ctx.clients.connections.getConnection({ id }, call);
    const { name, models } = connection!;
    const tried = { id: connection!.id, name, entry: readEntry(connection!), secrets: undefined, models };
    const { succeeded, status, message, latencyMs } = await tryConnection(ctx, tried, call);
    return {
      body: {
        status: succeeded ? 'success' : 'error',
        response_status: status || null,
        latency_ms: latencyMs,
        error: succeeded ? null : message,
      },
    };
  },
});
