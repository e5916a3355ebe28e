import type { IncomingHttpHeaders } from 'node:http';

/** `X-Service-Cache: 1` asks for the response cache, `0` forbids it; anything else leaves it to the project. */
export function cacheWish(headers: IncomingHttpHeaders): boolean | undefined {
  const value = headers['x-service-cache'];
  if (value === '1') return true;
  return value === '0' ? false : undefined;
}
