import net from 'node:net';

/** The address of a database in a test, of which the server can change and the network can fail. */
export interface MovableLink {
  /** The URL of the database through the link. */
  url: string;
  /** Sends new connections to another server. Open connections stay where they are. */
  moveTo(databaseUrl: string): void;
  /** Drops the packets of the open connections in both directions, without closing them. New connections work. */
  forgetPackets(): void;
  /** Closes the open connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a link to a server on this machine, for tests. */
export async function openMovableLink(databaseUrl: string): Promise<MovableLink> {
  const sockets = new Set<net.Socket>();
  let target = new URL(databaseUrl);
  const server = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    moveTo(databaseUrl) {
      target = new URL(databaseUrl);
    },
    forgetPackets() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
