import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between the services and PostgreSQL that an exercise can cut. */
export interface DatabaseProxy {
  url: string;
  /** Ends all connections and accepts no new ones. */
  cut(): void;
  mend(): void;
  /** Forgets the present connections, as a firewall does: no packet passes, and neither end learns of it. New ones work. */
  forget(): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const forgotten = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!forgotten.delete(socket)) other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      closeAll();
    },
    mend: () => {
      isCut = false;
    },
    forget: () => {
      for (const socket of sockets) {
        forgotten.add(socket);
        // What still arrives is read and dropped.
        socket.unpipe().resume();
      }
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      closeAll();
      await closed;
    },
  };
}
