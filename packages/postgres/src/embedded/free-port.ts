import { createServer } from 'node:net';

/** Returns `preferred` when it is free on the loopback address, else a free port. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await tryListen(preferred);
    if (port !== undefined) return port;
  }
  const port = await tryListen(0);
  if (port === undefined) throw new Error('No free port on 127.0.0.1');
  return port;
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
