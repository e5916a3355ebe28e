import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ports that Linux, macOS and Windows give to outgoing connections, which would take a picked port again. */
const FIRST_PORT = 15_000;
const END_PORT = 32_000;
const ATTEMPTS_MAX = 100;

/** How long a picked port is reserved: the server that gets it needs some time to start. */
const RESERVED_MS = 120_000;

/** Ports that this process has picked: a server that is still starting does not listen on its port yet. */
const picked = new Set<number>();

/**
 * Returns `preferred` if it is free on the loopback address, else (and for 0) a free port. For programs that cannot choose one
 * themselves; prefer port 0 where possible.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (picked.has(port)) continue;
    picked.add(port);
    if ((await isFree(port)) && (await reserve(port))) return port;
  }
  throw new Error(`no free port on 127.0.0.1 between ${FIRST_PORT} and ${END_PORT}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Keeps other processes that pick ports from picking this one, by a UDP socket on the same number. Returns false if
 * another process holds the reservation.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      setTimeout(() => socket.close(), RESERVED_MS).unref();
      resolve(true);
    });
  });
}
