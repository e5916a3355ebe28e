import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Service-Request-Id';
const acceptable = /^[\x21-\x7e]{1,128}$/;

export interface RequestIds {
  /** Echoed to the client, in logs and error bodies. The client's own where it sent an acceptable one. */
  public: string;
  /**
   * UUID that admission, hold and settlement are kept under. Equal to the public one where that is ours, and never
   * chosen by the client: a hold is found by this id alone, so a repeated one would be a request without a charge.
   */
  billing: string;
  /** Set once it is proven that no work was dispatched under `billing`, so that the request costs its customer nothing. */
  isUndispatched?: boolean;
}

export function requestIdsOf(headers: IncomingHttpHeaders): RequestIds {
  const billing = randomUUID();
  const given = headers['x-service-request-id'];
  return { public: typeof given === 'string' && acceptable.test(given) ? given : billing, billing };
}
