import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

/** Who sent a message, and what its handlers use. */
export interface McpCaller {
  ctx: Pick<Context, 'clients' | 'logger' | 'schemas'>;
  principal: Principal;
  call: Call;
  /** Undefined for clients that ignore sessions. */
  sessionId: string | undefined;
  /** As the client sees it in `X-Service-Request-Id`. */
  requestId: string;
}

type JsonRpcId = string | number;

/**
 * Returns the idempotency key of the run that a request starts. It names the request until its run has ended: a client that
 * connects again with a stored session counts its requests from zero. Undefined without a session: other clients of the same
 * credential count from zero, too.
 */
export function toCallKey(sessionId: string | undefined, id: JsonRpcId): string | undefined {
  return sessionId === undefined ? undefined : `mcp/${sessionId}/${JSON.stringify(id)}`;
}
