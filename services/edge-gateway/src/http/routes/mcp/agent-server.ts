import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { asAppError, isAppError } from '@tollgate/errors';
import { callAgent } from './call-agent.js';
import { listAgentTools } from './list-agent-tools.js';
import type { McpCaller } from './mcp-caller.js';

const INSTRUCTIONS =
  'Each tool runs an agent and returns its answer. A call may take minutes: ask for progress, and reset the timeout of the request with it.';

/** The server asks its clients nothing, so no answer of theirs is validated. The default would compile a validator per request. */
const NO_VALIDATION = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
};

/** Returns a server whose tools are the agents of the caller's project. */
export function createAgentServer(caller: McpCaller): Server {
  const capabilities = { tools: { listChanged: false } };
  const options = { capabilities, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATION };
  const server = new Server({ name: 'tollgate', version: '1' }, options);
  server.setRequestHandler('tools/list', ({ params }) =>
    orProtocolError(caller, listAgentTools(caller, params?.cursor)),
  );
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => callAgent(caller, params, mcpReq));
  return server;
}

/** The library sends the message of anything that a handler throws; only contract errors may be shown. */
async function orProtocolError<T>({ ctx, requestId }: McpCaller, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!isAppError(error)) ctx.logger.error({ err: error, request_id: requestId }, 'request failed');
    const { code, message } = asAppError(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message} (request ${requestId})`);
  }
}
