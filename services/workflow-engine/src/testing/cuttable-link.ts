import net from 'node:net';

/** A TCP link to a database that can be cut, as a crash or a partition cuts it, and mended again. */
export interface CuttableLink {
  url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function cuttableLink(databaseUrl: string): Promise<CuttableLink> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = net.connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      dropAll();
    },
    mend() {
      isCut = false;
    },
    async close() {
      dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
