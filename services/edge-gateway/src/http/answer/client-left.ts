import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether the connection of a request has closed, for example while it waited for its start. No `close` may follow. */
export function hasClientLeft({ socket }: Pick<IncomingMessage, 'socket'>, res: ServerResponse): boolean {
  return res.destroyed || socket.destroyed;
}
