import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Standstill } from '@tollgate/runtime';
import { Upstream } from './upstream.js';
import type { UpstreamListener, UpstreamRequest } from './upstream-request.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
let answer: (socket: Socket) => void;
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => answer(socket));
});
let upstream: Upstream;
const standstill = new Standstill();

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  upstream = new Upstream({
    provider: 'openai',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 1,
    inFlightMax: 2,
    connectTimeoutMs: 30_000,
    responseTimeoutMs: 30_000,
    idleTimeoutMs: 30_000,
    standstill,
  });
});
afterAll(async () => {
  await upstream.close();
  await standstill.stop();
  server.close();
});

it.each([
  ['without a length', `${HEAD}\r\nhello `, 'world'],
  ['with a length and Connection: close', `${HEAD}connection: close\r\ncontent-length: 11\r\n\r\nhello `, 'world'],
  [
    'in chunks with Connection: close',
    `${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n6\r\nhello \r\n`,
    '5\r\nworld\r\n0\r\n\r\n',
  ],
])('reads an answer %s to its end although its reader is slow when the connection ends', async (_, start, rest) => {
  answer = (socket) => {
    socket.write(start);
    setImmediate(() => socket.end(rest));
  };
  const chunks: Buffer[] = [];
  const end = await new Promise<string>((resolve) => {
    const listener: UpstreamListener = {
      onHead: () => request.pause(),
      onChunk: (chunk) => chunks.push(chunk),
      onDone: () => resolve('done'),
      onFailed: ({ kind }) => resolve(kind),
    };
    const request: UpstreamRequest = upstream.post('/', [], '{}', listener, 'account');
  });
  expect([Buffer.concat(chunks).toString(), end]).toEqual(['hello world', 'done']);
});

it('sends no request of a caller that left while the process was paused', async () => {
  let received = 0;
  const ended: string[] = [];
  const listen = (name: string, ended: string[]): UpstreamListener => ({
    onHead: () => undefined,
    onChunk: () => undefined,
    onDone: () => ended.push(`${name} done`),
    onFailed: ({ kind }) => ended.push(`${name} ${kind}`),
  });
  const first = new Promise<void>((resolve) => {
    answer = (socket) => {
      received++;
      // The answer waits in the socket when the process resumes, before it reads that the caller has left.
      socket.end(`${HEAD}content-length: 2\r\nconnection: close\r\n\r\nok`, () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
        setImmediate(() => {
          waiting.abort();
          resolve();
        });
      });
    };
  });
  upstream.post('/', [], '{}', listen('first', ended), 'account');
  const waiting = upstream.post('/', [], '{}', listen('second', ended), 'account');
  await first;
  // The only socket is free again for the next caller.
  answer = (socket) => {
    received++;
    socket.end(`${HEAD}content-length: 2\r\nconnection: close\r\n\r\nok`);
  };
  await new Promise<void>((resolve) => {
    upstream.post('/', [], '{}', { ...listen('third', ended), onDone: () => resolve() }, 'account');
  });
  expect({ received, ended }).toEqual({ received: 2, ended: ['first done'] });
});
