import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

/** Who sent a message, and what its handlers use. */
export interface McpCaller {
  ctx: Pick<Context, 'clients' | 'logger' | 'schemas'>;
  principal: Principal;
  call: Call;
  /** Within which the ids of requests name runs: the session, or the request alone. Undefined for clients that ignore sessions. */
  scope: string | undefined;
  /** As the client sees it in `X-Service-Request-Id`. */
  requestId: string;
}

type JsonRpcId = string | number;

/**
 * Returns the idempotency key of the run that a request starts. It names the request until its run has ended: a client that
 * connects again with a stored session counts its requests from zero. Undefined without a scope: other clients of the same
 * credential count from zero, too.
 */
export function toCallKey(scope: string | undefined, id: JsonRpcId): string | undefined {
  return scope === undefined ? undefined : `mcp/${scope}/${JSON.stringify(id)}`;
}
