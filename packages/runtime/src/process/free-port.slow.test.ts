import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

it('returns ports that differ and can be listened on', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  const server = createServer();
  server.listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

it('returns the preferred port only if it is free', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
  expect(await freePort(0)).toBeGreaterThan(0);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  expect(await freePort(taken)).not.toBe(taken);
  server.close();
});

it('returns no port that another process has picked for a server that is still starting', async () => {
  const pick = (from: typeof freePort) => Promise.all(Array.from({ length: 600 }, () => from()));
  const copy: string = './free-port.js?copy';
  const other: { freePort: typeof freePort } = await import(copy);
  expect(other.freePort).not.toBe(freePort);
  const mine = new Set(await pick(freePort));
  expect((await pick(other.freePort)).filter((port) => mine.has(port))).toEqual([]);
});
