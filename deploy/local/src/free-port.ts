import { createServer } from 'node:net';

/** Returns the wanted port when it is free, else any free port. */
export async function pickPort(wanted = 0): Promise<number> {
  try {
    return await listenOnce(wanted);
  } catch {
    return listenOnce(0);
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
