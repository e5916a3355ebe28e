import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createSafeFetch, type SafeFetchInit, type SafeFetchOptions, type SafeStreamClient } from '../safe-fetch.js';

/** Servers and clients of one test; `cleanUp` ends them all. */
export function createHarness() {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const clients: SafeStreamClient[] = [];

  async function listen(server: Server, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
    servers.push(server);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  function client(options: SafeFetchOptions = {}): SafeStreamClient {
    const created = createSafeFetch({ lookupTtlMs: 0, ...options });
    clients.push(created);
    return created;
  }

  /** A client for which every name is the loopback address. */
  function local(options: SafeFetchOptions = {}): SafeStreamClient {
    return client({ lookup: async () => ['127.0.0.1'], ...options });
  }

  return {
    /** Connections that the servers have open. */
    sockets,
    listen,
    client,
    local,
    serve: (handler: RequestListener, at?: { host?: string; port?: number }) => listen(createServer(handler), at),
    serveTcp: (handler: (socket: Socket) => void) => listen(createTcpServer(handler)),
    get: (port: number, init: SafeFetchInit = {}) =>
      local().fetch(`http://hooks.test:${port}/path?q=1`, { allowPrivate: true, ...init }),
    async cleanUp(): Promise<void> {
      await Promise.all(clients.splice(0).map((each) => each.close()));
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
