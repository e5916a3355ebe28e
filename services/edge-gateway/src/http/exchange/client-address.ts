import type { IncomingMessage } from 'node:http';

/**
 * Returns the address that limits count against. Behind `hops` trusted proxies it is the entry that the outermost of them
 * added to X-Forwarded-For; entries further left are client-supplied and untrusted.
 */
export function clientAddress(req: Pick<IncomingMessage, 'headers' | 'socket'>, hops: number): string {
  const direct = req.socket.remoteAddress ?? 'unknown';
  if (hops === 0) return direct;
  const header = req.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim());
  const address = forwarded.at(-hops);
  return address || direct;
}
