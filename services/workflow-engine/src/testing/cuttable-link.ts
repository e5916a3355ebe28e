import net from 'node:net';

/**
 * The two effects that a crash can have on a statement. `before`: the message never arrives. `after`: it arrives and takes
 * effect, but the answer is lost.
 */
export type CutMode = 'before' | 'after';

/** A TCP connection to a database that can be cut like in a crash or a network partition, and restored. */
export interface CuttableLink {
  url: string;
  /** Messages sent to the database since `cutAt` was called. */
  readonly sent: number;
  readonly isCut: boolean;
  cut(): void;
  /** Cuts at the n-th message from now. */
  cutAt(message: number, mode: CutMode): void;
  mend(): void;
  close(): Promise<void>;
}

export async function cuttableLink(databaseUrl: string): Promise<CuttableLink> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  let sent = 0;
  let cutting: { message: number; mode: CutMode } | undefined;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
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
    let isDeaf = false;
    near.on('data', (chunk) => {
      sent += 1;
      const isLast = sent === cutting?.message;
      if (isLast && cutting?.mode === 'before') return cut();
      far.write(chunk);
      isDeaf ||= isLast;
    });
    far.on('data', (chunk) => (isDeaf ? cut() : near.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    get sent() {
      return sent;
    },
    get isCut() {
      return isCut;
    },
    cut,
    cutAt(message, mode) {
      sent = 0;
      cutting = { message, mode };
    },
    mend() {
      isCut = false;
      cutting = undefined;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
