import * as grpc from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import {
  type Call,
  onUnexpectedError,
  type RpcServer,
  register,
  startCall,
  startRpcServer,
  wasNotDelivered,
} from '../index.js';
import { Lane, type LaneOptions } from './lane-client.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  onUnexpectedError(() => {});
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface AdmitInput {
  holdId: string;
  model: string;
}

type Admit = (req: AdmitInput, call: Call) => Promise<object>;

async function serve(admit: Admit, options: { connectionAgeMs?: number; drainMs?: number } = {}): Promise<RpcServer> {
  const missing = () => {
    throw new AppError('NOT_FOUND', 'not in this test');
  };
  const handlers = Object.fromEntries(BillingService.methods.map((method) => [method.localName, missing]));
  const billing = register(BillingService, { ...handlers, admit } as never);
  const server = await startRpcServer({ port: 0, registrations: [billing], drainMs: 0, ...options });
  cleanUps.push(() => server.stop());
  return server;
}

type Ask = (holdId: string, model?: string) => Promise<unknown>;

/** A lane that connects to the addresses in turn, and to the last one from then on. */
function laneTo(addresses: string | string[], options: Partial<LaneOptions> = {}): Ask {
  const ways = [addresses].flat();
  const connect = () => {
    const address = (ways.length > 1 ? ways.shift() : ways[0]) as string;
    return new grpc.Client(address, grpc.credentials.createInsecure());
  };
  const lane = new Lane({ connect, ...options });
  cleanUps.push(() => lane.close());
  const method = BillingService.method.admit;
  return (holdId, model = '') => lane.unary(method, { holdId, model }, startCall({ timeoutMs: 20_000 }));
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
  it('reports a call to an unreachable service as not delivered', async () => {
    const server = await serve(async () => ({}));
    await server.stop();
    const error = await failure(laneTo(server.address)('1'));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(wasNotDelivered(error)).toBe(true);
  });

  it('does not report a call as not delivered that was running when the service crashed', async () => {
    const started = deferred();
    const server = await serve(() => {
      started.resolve();
      return new Promise(() => {});
    });
    const answer = failure(laneTo(server.address)('1'));
    await started.promise;
    await server.stop();
    const error = await answer;
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(wasNotDelivered(error)).toBe(false);
  });

  it('retries a call that a broken connection did not deliver', async () => {
    const dead = await serve(async () => ({}));
    await dead.stop();
    const seen: string[] = [];
    const server = await serve(async ({ holdId }) => {
      seen.push(holdId);
      return {};
    });
    await laneTo([dead.address, dead.address, server.address])('1');
    expect(seen).toEqual(['1']);
  });

  it('retries a call that may have arrived if its method is repeatable', async () => {
    const started = deferred();
    const dying = await serve(() => {
      started.resolve();
      return new Promise(() => {});
    });
    const server = await serve(async () => ({ decision: { case: 'refused', value: { code: 'FROM_THE_OTHER' } } }));
    const answer = laneTo([dying.address, server.address], { isRepeatable: () => true })('1');
    await started.promise;
    await dying.stop();
    expect(await answer).toMatchObject({ decision: { value: { code: 'FROM_THE_OTHER' } } });
  });

  it('uses new streams for new calls and lets running calls finish on old streams', async () => {
    const gate = deferred();
    const seen: string[] = [];
    const server = await serve(async ({ holdId }) => {
      seen.push(holdId);
      if (holdId === 'long') await gate.promise;
      return {};
    });
    const ask = laneTo(server.address, { streamAgeMs: 0 });
    const long = ask('long');
    for (const id of ['a', 'b', 'c']) await ask(id);
    gate.resolve();
    await long;
    expect(seen.sort()).toEqual(['a', 'b', 'c', 'long']);
  });

  it('loses no call to connections that its server ends', async () => {
    const server = await serve(async () => ({}), { connectionAgeMs: 100 });
    const ask = laneTo(server.address, { streamAgeMs: 10 });
    const until = Date.now() + 600;
    while (Date.now() < until) await ask('again');
  });

  it('loses no call when its server drains', async () => {
    const counts = new Map<string, number>();
    const admit: Admit = async ({ holdId }) => {
      counts.set(holdId, (counts.get(holdId) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return {};
    };
    const leaving = await serve(admit, { drainMs: 5_000 });
    const staying = await serve(admit);
    const ask = laneTo([leaving.address, staying.address]);
    const answers: Promise<unknown>[] = [];
    let stopped: Promise<void> | undefined;
    for (let i = 0; i < 300; i++) {
      answers.push(ask(String(i)));
      if (i === 150) stopped = leaving.stop();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(answers);
    await stopped;
    expect(counts.size).toBe(300);
    expect(Math.max(...counts.values())).toBe(1);
  });

  it('fails a call that is too large alone, and reports it', async () => {
    const reported: unknown[] = [];
    onUnexpectedError((error) => reported.push(error));
    const server = await serve(async () => ({}));
    const ask = laneTo(server.address);
    const others = [ask('a'), ask('b')];
    const error = await failure(ask('large', 'x'.repeat(61 * 1024 * 1024)));
    await Promise.all(others);
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(wasNotDelivered(error)).toBe(true);
    expect(String(reported)).toContain('/tollgate.billing.v1.BillingService/Admit');
  });

  it('refuses large calls beyond what may wait, with Retry-After, and serves the others', async () => {
    const server = await serve(async () => ({}));
    const ask = laneTo(server.address, { waitingBytesMax: 5 * 1024 * 1024 });
    const large = 'x'.repeat(2 * 1024 * 1024);
    const outcomes = await Promise.all(['1', '2', '3', '4'].map((id) => failure(ask(id, large))));
    const refused = outcomes.filter((outcome) => outcome !== undefined);
    expect(refused).toHaveLength(2);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
      expect(wasNotDelivered(error)).toBe(true);
    }
    await ask('small');
  });
});
