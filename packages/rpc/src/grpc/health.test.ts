import { connect } from 'node:http2';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { checkHealth, READINESS, type RpcServer, startRpcServer } from '../index.js';

let server: RpcServer;
let reason: string | undefined;

beforeEach(async () => {
  reason = undefined;
  server = await startRpcServer({ port: 0, registrations: [], notReadyBecause: () => reason });
});

afterEach(() => server.stop());

it('reports a running server as serving, and a stopped one as not', async () => {
  expect(await checkHealth(server.address, 2000)).toBe(true);
  await server.stop();
  expect(await checkHealth(server.address, 2000)).toBe(false);
});

it('reports a server with a reason against it as running, but not as ready', async () => {
  const check = (service: string) => checkHealth(server.address, 2000, { service });
  expect([await check(''), await check(READINESS)]).toEqual([true, true]);
  reason = 'the database does not answer';
  expect([await check(''), await check(READINESS)]).toEqual([true, false]);
});

it('answers the empty request of a probe that names no service', async () => {
  const session = connect(`http://${server.address}`);
  const path = '/grpc.health.v1.Health/Check';
  const request = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
  request.end(Buffer.alloc(5)); // a frame around nothing
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  session.close();
  expect(Buffer.concat(chunks)).toEqual(Buffer.from([0, 0, 0, 0, 2, 0x08, 1]));
});
