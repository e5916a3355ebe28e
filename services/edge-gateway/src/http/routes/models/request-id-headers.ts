import type { Call } from '@tollgate/rpc';

/** The request id under the names that the vendors' client libraries look for. */
export function requestIdHeaders(call: Call): Record<string, string> {
  return { 'x-request-id': call.requestId, 'request-id': call.requestId };
}
