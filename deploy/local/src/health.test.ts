import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { awaitReady } from './health.js';

describe('awaitReady', () => {
  it('waits until the service is ready, even after a restart', async () => {
    let asked = 0;
    const server = createServer((_req, res) => {
      asked += 1;
      res.writeHead(asked < 3 ? 503 : 200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await awaitReady(url, { name: 'edge-gateway', logDir: '/logs', ends: () => 1 });
    expect(asked).toBe(3);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('names the log of a service that ended again and again', async () => {
    const ended = awaitReady('http://127.0.0.1:1', { name: 'edge-gateway', logDir: '/logs', ends: () => 4 });
    await expect(ended).rejects.toThrow('edge-gateway did not become ready; see /logs/edge-gateway.log');
  });
});
