import type { IncomingMessage } from 'node:http';

/** Returns a key of the caller that is known before it is identified: its credential, or else its address. */
export function findCaller({ headers, socket }: IncomingMessage): string {
  const key = headers['x-service-api-key'] ?? headers['x-api-key'] ?? headers['x-goog-api-key'];
  return headers.authorization ?? key?.toString() ?? socket.remoteAddress ?? '';
}
