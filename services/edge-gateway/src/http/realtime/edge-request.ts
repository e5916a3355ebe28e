import { IncomingMessage } from 'node:http';

const PATH = '/v1/realtime';

/** Whether a request asks for a socket of the Realtime API. */
export function asksForRealtime({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return url === PATH || url.startsWith(`${PATH}?`);
}

/**
 * A request that is an upgrade only where the edge has a socket to offer. Node takes every request with an `Upgrade` header from
 * the listener once a server has a listener of upgrades; some clients offer HTTP/2 in that header with every request.
 */
export class EdgeRequest extends IncomingMessage {}

const asked = Symbol('upgrade');
type Marked = IncomingMessage & { [asked]?: boolean | null };

Object.defineProperty(EdgeRequest.prototype, 'upgrade', {
  get(this: Marked): boolean {
    return this[asked] === true && asksForRealtime(this);
  },
  set(this: Marked, value: boolean | null) {
    this[asked] = value;
  },
});
