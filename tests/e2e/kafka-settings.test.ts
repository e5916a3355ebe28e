// A broker that requires TLS: every process that sends or receives events connects with TLS, and serves while it waits.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { responsesBody, waitUntil } from '@tollgate/testkit';
import { must, type System, startSystem } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';

/** The first byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;

/** Processes with their own event transport. */
const CLIENTS = 5;

describe('with KAFKA_SSL', () => {
  let broker: Server;
  let system: System;
  const firstBytes: (number | undefined)[] = [];

  beforeAll(async () => {
    broker = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        firstBytes.push(data[0]);
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
    const address = broker.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    system = await startSystem({
      mode: 'separate processes',
      env: { KAFKA_BROKERS: `127.0.0.1:${port}`, KAFKA_SSL: '1' },
    });
  }, START_MS);
  afterAll(async () => {
    await system?.stop();
    await new Promise((resolve) => broker.close(resolve));
  });

  it('begins every connection to the broker with a TLS handshake', async () => {
    must(await (await system.project()).api.post('/responses', responsesBody()), 200);
    await waitUntil(async () => firstBytes.length >= 3 * CLIENTS, { what: 'connections', timeoutMs: 60_000 });
    expect(new Set(firstBytes)).toEqual(new Set([TLS_HANDSHAKE]));
  });
});
