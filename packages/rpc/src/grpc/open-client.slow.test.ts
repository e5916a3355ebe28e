// Calls on connections that their server drains, across the times at which their client sends keepalives.
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { create } from '@bufbuild/protobuf';
import * as grpc from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  GenerateRequestSchema,
  GenerateResponseSchema,
  InferenceService,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { register, startCall, startRpcServer } from '../index.js';
import { Lane } from '../lanes/lane-client.js';
import { openClient } from './open-client.js';

const KEEPALIVE: grpc.ClientOptions = {
  'grpc.keepalive_time_ms': 10,
  'grpc.use_local_subchannel_pool': 1, // a connection of its own
};
const EMPTY_MESSAGE = Buffer.alloc(5);

/** A server whose answers the test ends, and the pings that its connections have received. */
let peer: Http2Server;
let sessions: { session: ServerHttp2Session; pings: number; answer(): void }[];
const cleanUps: (() => unknown)[] = [];

beforeEach(async () => {
  sessions = [];
  peer = createServer();
  peer.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    const opened = { session: stream.session as ServerHttp2Session, pings: 0, answer: () => stream.end(EMPTY_MESSAGE) };
    opened.session.on('ping', () => {
      opened.pings++;
    });
    sessions.push(opened);
  });
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  for (const { session } of sessions) session.destroy();
  const closed = once(peer, 'close');
  peer.close();
  await closed;
});

function openFast(address: string): grpc.Client {
  return openClient(address, grpc.credentials.createInsecure(), KEEPALIVE);
}

/** Starts a call of the peer on a connection of its own. */
async function startPeerCall() {
  const client = openFast(`127.0.0.1:${(peer.address() as AddressInfo).port}`);
  cleanUps.push(() => client.close());
  const before = sessions.length;
  const answer = new Promise<unknown>((resolve, reject) => {
    const copy = (message: Buffer): Buffer => message;
    client.makeUnaryRequest('/test.Service/Wait', copy, copy, EMPTY_MESSAGE, (error, message) =>
      error ? reject(error) : resolve(message),
    );
  });
  answer.catch(() => undefined); // reported where it is awaited
  const opened = await waitUntil(() => sessions[before], { what: 'the call to arrive' });
  return { answer, opened };
}

/** Resolves after keepalives of every connection have been due: another connection has sent several. */
async function passKeepalives(): Promise<void> {
  const { opened } = await startPeerCall();
  await waitUntil(() => opened.pings >= 4, { what: 'keepalives' });
}

it('finishes a call on a connection whose end its server has announced', async () => {
  const { answer, opened } = await startPeerCall();
  await waitUntil(() => opened.pings > 0, { what: 'a keepalive' });
  const acknowledged = once(opened.session, 'goaway');
  opened.session.close();
  await acknowledged;
  await passKeepalives();
  opened.answer();
  expect(await answer).toEqual(Buffer.alloc(0));
});

it('finishes a streaming call of a lane while its server drains', async () => {
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* generate() {
    yield create(GenerateResponseSchema, { data: new Uint8Array([1]) });
    await finished;
    yield create(GenerateResponseSchema, { data: new Uint8Array([2]) });
  }
  const inference = register(InferenceService, {
    generate,
    listModels: async () => ({}),
    listRoutes: async () => ({}),
    testConnection: async () => ({}),
  } as never);
  const server = await startRpcServer({ port: 0, registrations: [inference], drainMs: 20_000 });
  const lane = new Lane({ connect: () => openFast(server.address) });
  cleanUps.push(() => lane.close());
  const frames = lane.streaming(
    InferenceService.method.generate,
    create(GenerateRequestSchema),
    startCall({ timeoutMs: 60_000 }),
  );
  const reader = frames[Symbol.asyncIterator]();
  expect((await reader.next()).value).toMatchObject({ data: new Uint8Array([1]) });
  const stopped = server.stop();
  cleanUps.push(() => stopped);
  await passKeepalives();
  finish();
  expect((await reader.next()).value).toMatchObject({ data: new Uint8Array([2]) });
  expect((await reader.next()).done).toBe(true);
});
