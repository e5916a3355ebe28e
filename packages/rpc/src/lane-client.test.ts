import * as grpc from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type RpcServer, register, startCall, startRpcServer, wasNotDelivered } from './index.js';
import { Lane } from './lane-client.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Admit = (requestId: string, call: Call) => Promise<object>;

async function serve(admit: Admit, connectionAgeMs?: number): Promise<RpcServer> {
  const missing = () => {
    throw new AppError('NOT_FOUND', 'not in this test');
  };
  const handlers = Object.fromEntries(BillingService.methods.map((method) => [method.localName, missing]));
  const billing = register(BillingService, {
    ...handlers,
    admit: (req: { requestId: string }, call: Call) => admit(req.requestId, call),
  } as never);
  const server = await startRpcServer({ port: 0, registrations: [billing], drainMs: 0, connectionAgeMs });
  cleanUps.push(() => server.stop());
  return server;
}

function laneTo(address: string, streamAgeMs?: number): (requestId: string) => Promise<unknown> {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const lane = new Lane(client, { streamAgeMs });
  cleanUps.push(() => {
    lane.close();
    client.close();
  });
  const method = BillingService.method.admit;
  return (requestId) => lane.unary(method, { requestId }, startCall({ timeoutMs: 5_000 }));
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a lane', () => {
  it('knows that a call to a service that cannot be reached was not delivered', async () => {
    const server = await serve(async () => ({}));
    await server.stop();
    const error = await failure(laneTo(server.address)('1'));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(wasNotDelivered(error)).toBe(true);
  });

  it('does not claim so of a call that was under way when the service died', async () => {
    const begun = deferred();
    const server = await serve(() => {
      begun.resolve();
      return new Promise(() => {});
    });
    const answer = failure(laneTo(server.address)('1'));
    await begun.promise;
    await server.stop();
    const error = await answer;
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(wasNotDelivered(error)).toBe(false);
  });

  it('takes new streams for new calls and lets old ones finish where they are', async () => {
    const gate = deferred();
    const seen: string[] = [];
    const server = await serve(async (requestId) => {
      seen.push(requestId);
      if (requestId === 'long') await gate.promise;
      return {};
    });
    const admit = laneTo(server.address, 0);
    const long = admit('long');
    for (const id of ['a', 'b', 'c']) await admit(id);
    gate.resolve();
    await long;
    expect(seen.sort()).toEqual(['a', 'b', 'c', 'long']);
  });

  it('outlives the connections that its server ends', async () => {
    const server = await serve(async () => ({}), 100);
    const admit = laneTo(server.address, 10);
    const until = Date.now() + 600;
    while (Date.now() < until) await admit('again');
  });
});
