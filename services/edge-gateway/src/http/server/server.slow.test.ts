import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { startHttpServer } from './server.js';

/** Opens many connections at once and prints how many are established after a while. */
const FLOOD = `
  const [port, count, afterMs] = process.argv.slice(1).map(Number);
  let connected = 0;
  const sockets = Array.from({ length: count }, () => require('net').connect(port, '127.0.0.1', () => connected++));
  for (const socket of sockets) socket.on('error', () => {});
  setTimeout(() => { process.stdout.write(String(connected)); process.exit(); }, afterMs);
`;

describe('startHttpServer', () => {
  it('accepts a flood of connections while the event loop is busy', async () => {
    const http = await startHttpServer((_req, res) => void res.end(), { host: '127.0.0.1', port: 0 }, new Set());
    const flood = spawn(process.execPath, ['-e', FLOOD, http.address.split(':')[1] as string, '1000', '700'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(flood, 'spawn');
    // Shorter than the time after which a refused connection is retried.
    const busyUntil = performance.now() + 1_500;
    while (performance.now() < busyUntil);
    const [connected] = await once(flood.stdout, 'data');
    expect(Number(connected)).toBe(1_000);
    await http.stop(0);
  });
});
