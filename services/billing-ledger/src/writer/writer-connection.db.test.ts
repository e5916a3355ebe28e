import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import { type CutProxy, startCutProxy } from '../proof/cut-proxy.js';
import { WriterConnection } from './writer-connection.js';

let database: TestDatabase;
let proxy: CutProxy;
let closed: Server;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  proxy = await startCutProxy(database.url, () => true);
  closed = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(closed, 'listening');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  closed.close();
  await proxy.stop();
  await database.drop();
});

function writerTo(url: string): WriterConnection {
  return new WriterConnection({ url, schema: database.schema, name: 'lane', lockTimeoutMs: 300 }, silentLogger);
}

describe('unavailableReason', () => {
  it('names a reason once the database could not be reached for some seconds', async () => {
    const url = new URL(database.url);
    url.port = String((closed.address() as { port: number }).port);
    const writer = writerTo(url.href);
    expect(writer.unavailableReason).toBeUndefined();
    await expect(writer.client()).rejects.toThrow('Connection terminated');
    expect(writer.unavailableReason).toBeUndefined();
    const later = performance.now() + 6_000;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    expect(writer.unavailableReason).toBe('the ledger cannot write to its database');
    await writer.end();
  });

  it('names none any longer when the database answers again, although nothing is written', async () => {
    const writer = writerTo(proxy.url);
    const client = await writer.client();
    proxy.arm({ at: 1, when: 'before' });
    const error = await client.query('SELECT 1').catch((thrown: unknown) => thrown);
    expect(await writer.isLost(error)).toBe(true);
    const realNow = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => realNow() + 6_000);
    expect(writer.unavailableReason).toBeDefined();
    await waitUntil(() => writer.unavailableReason === undefined, { what: 'the writer to be available' });
    await writer.end();
  });
});
