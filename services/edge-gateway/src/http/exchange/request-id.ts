import type { IncomingHttpHeaders } from 'node:http';
import { newOrderedId } from '@tollgate/runtime';

export const REQUEST_ID_HEADER = 'X-Service-Request-Id';
const acceptable = /^[\x21-\x7e]{1,128}$/;

export interface RequestIds {
  /** Echoed to the client, in logs and error bodies. The client's own id when it sent an acceptable one. */
  requestId: string;
  /**
   * UUID of the request's hold. Equal to `requestId` unless the client chose that. Clients never choose this one: the
   * ledger finds a hold by this id alone, so a repeated id would be a request without a charge. It starts with the time:
   * the rows of recent requests are then neighbors in every index of ids.
   */
  holdId: string;
  /** Set once it is proven that no work was dispatched under `holdId`, so that the request costs its customer nothing. */
  isUndispatched?: boolean;
}

export function readRequestIds(headers: IncomingHttpHeaders): RequestIds {
  const holdId = newOrderedId();
  const given = headers['x-service-request-id'];
  return { requestId: typeof given === 'string' && acceptable.test(given) ? given : holdId, holdId };
}
