// One suite over the three transports: callers and handlers see the same behavior over each of them.
import { create } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import {
  type Call,
  type Client,
  GrpcNetwork,
  LocalNetwork,
  methodPath,
  type Network,
  onUnexpectedError,
  type RpcServer,
  register,
  startCall,
  startRpcServer,
  wasNotDelivered,
} from './index.js';

type Admit = (holdId: string, call: Call, model: string) => Promise<{ held: bigint }>;
type Generate = (call: Call) => AsyncIterable<{ data: Uint8Array }>;

interface Harness {
  billing: Client<typeof BillingService>;
  inference: Client<typeof InferenceService>;
  /** Breaks the connection of the callers, as a crash would. */
  cut(): Promise<void>;
}

const ALL = new Set([...BillingService.methods, ...InferenceService.methods].map(methodPath));
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  onUnexpectedError(() => {});
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Only what the tests call is implemented; registering checks names, so the rest answers NOT_FOUND. */
function registrations(admit: Admit, generate: Generate) {
  const missing = () => {
    throw new AppError('NOT_FOUND', 'not in this test');
  };
  const billing = Object.fromEntries(BillingService.methods.map((m) => [m.localName, missing]));
  const inference = Object.fromEntries(InferenceService.methods.map((m) => [m.localName, missing]));
  return [
    register(BillingService, {
      ...billing,
      admit: async (req: { holdId: string; model: string }, call: Call) => ({
        decision: { case: 'admitted', value: { heldMicrocents: (await admit(req.holdId, call, req.model)).held } },
      }),
    } as never),
    register(InferenceService, { ...inference, generate: (_: unknown, call: Call) => generate(call) } as never),
  ];
}

async function overGrpc(parts: ReturnType<typeof registrations>, hot: Set<string>): Promise<Harness> {
  const server: RpcServer = await startRpcServer({ port: 0, registrations: parts, drainMs: 2_000 });
  const network: Network = new GrpcNetwork({
    hot,
    addresses: { [BillingService.typeName]: server.address, [InferenceService.typeName]: server.address },
  });
  cleanUps.push(
    () => server.stop(),
    () => network.close(),
  );
  return {
    billing: network.client(BillingService),
    inference: network.client(InferenceService),
    cut: () => server.stop(),
  };
}

const transports: [string, (parts: ReturnType<typeof registrations>) => Promise<Harness>][] = [
  [
    'direct calls',
    async (parts) => {
      const network = new LocalNetwork();
      network.register(...parts);
      return {
        billing: network.client(BillingService),
        inference: network.client(InferenceService),
        cut: async () => network.unregister(...parts),
      };
    },
  ],
  ['gRPC', (parts) => overGrpc(parts, new Set())],
  ['lanes', (parts) => overGrpc(parts, ALL)],
];

const noStream: Generate = async function* () {};

describe.each(transports)('over %s', (_, start) => {
  const admitOnly = (admit: Admit) => start(registrations(admit, noStream));
  const generateOnly = (generate: Generate) => start(registrations(async () => ({ held: 0n }), generate));

  it('carries request, answer, principal, request id and trace', async () => {
    const principal = create(PrincipalSchema, {
      kind: PrincipalKind.CUSTOMER,
      accountId: 'a',
      customerId: 'c',
      keySpendLimitMicrocents: 5n,
    });
    let seen: Call | undefined;
    const { billing } = await admitOnly(async (holdId, call) => {
      seen = call;
      return { held: BigInt(holdId.length) };
    });
    const call = startCall({ requestId: 'r-1', principal, timeoutMs: 30_000, traceparent: '00-abc-def-01' });
    const answer = await billing.admit({ holdId: 'four' }, call);
    expect(answer.decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: 4n } });
    expect(seen).toMatchObject({ requestId: 'r-1', traceparent: '00-abc-def-01' });
    expect(seen?.principal).toEqual(principal);
  });

  it('does not mix up many concurrent calls', async () => {
    const { billing } = await admitOnly(async (holdId) => ({ held: BigInt(holdId) }));
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => billing.admit({ holdId: String(i) }, startCall())),
    );
    expect(
      answers.map((a) => a.decision.value && 'heldMicrocents' in a.decision.value && a.decision.value.heldMicrocents),
    ).toEqual(Array.from({ length: 300 }, (_, i) => BigInt(i)));
  });

  it('carries large requests and replies without blocking other calls', async () => {
    const large = 'x'.repeat(22 * 1024 * 1024);
    const stop = new AbortController();
    const { billing, inference } = await start(
      registrations(
        async (_, __, model) => ({ held: BigInt(model.length) }),
        async function* (call) {
          while (!call.isAborted && !stop.signal.aborted) {
            yield { data: Uint8Array.of(1) };
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          yield { data: Buffer.alloc(22 * 1024 * 1024, 7) };
        },
      ),
    );
    const bystanders = Array.from({ length: 4 }, async () => {
      let last: { data: Uint8Array } | undefined;
      for await (const item of inference.generate({}, startCall({ timeoutMs: 170_000 }))) last = item;
      return last?.data.length;
    });
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => billing.admit({ model: large }, startCall({ timeoutMs: 170_000 }))),
    );
    for (const { decision } of answers) {
      expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: BigInt(large.length) } });
    }
    stop.abort();
    expect(await Promise.all(bystanders)).toEqual(Array.from({ length: 4 }, () => large.length));
  });

  it('shortens the deadline on each hop', async () => {
    let remainingMs = 0;
    const { billing } = await admitOnly(async (_, call) => {
      remainingMs = call.remainingMs();
      return { held: 0n };
    });
    await billing.admit({}, startCall({ timeoutMs: 30_000 }));
    expect(remainingMs).toBeLessThan(30_000);
    expect(remainingMs).toBeGreaterThan(0);
  });

  it('ends a call at its deadline and aborts the callee', async () => {
    let aborted: Promise<void> | undefined;
    const { inference } = await generateOnly(async function* (call) {
      aborted = new Promise((resolve) => call.signal.addEventListener('abort', () => resolve()));
      await aborted;
    });
    const reading = (async () => {
      for await (const _ of inference.generate({}, startCall({ timeoutMs: 120 })));
    })();
    await expect(reading).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
    await aborted;
  });

  describe('when the wall clock steps', () => {
    const realNow = Date.now;
    const step = (byMs: number) => {
      Date.now = () => realNow() + byMs;
    };
    afterEach(() => {
      Date.now = realNow;
    });

    it.each([3_600_000, -3_600_000])('keeps the time limit of a call in flight (step of %d ms)', async (byMs) => {
      const remaining: number[] = [];
      const { billing } = await admitOnly(async (_, call) => {
        remaining.push(call.remainingMs());
        step(byMs);
        // Longer than two ticks of the timer that ends calls.
        await new Promise((resolve) => setTimeout(resolve, 100));
        remaining.push(call.remainingMs());
        return { held: 7n };
      });
      const { decision } = await billing.admit({}, startCall({ timeoutMs: 60_000 }));
      expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: 7n } });
      for (const remainingMs of remaining) {
        expect(remainingMs).toBeGreaterThan(0);
        expect(remainingMs).toBeLessThan(60_000);
      }
    });

    it.each([3_600_000, -3_600_000])('sends what is left of the time limit (step of %d ms)', async (byMs) => {
      let remainingMs = 0;
      const { billing } = await admitOnly(async (_, call) => {
        remainingMs = call.remainingMs();
        return { held: 0n };
      });
      const call = startCall({ timeoutMs: 60_000 });
      step(byMs);
      await billing.admit({}, call);
      expect(remainingMs).toBeGreaterThan(0);
      expect(remainingMs).toBeLessThan(60_000);
    });

    it('ends a call at its deadline', async () => {
      const { inference } = await generateOnly(async function* (call) {
        step(-3_600_000);
        await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      });
      const reading = (async () => {
        for await (const _ of inference.generate({}, startCall({ timeoutMs: 120 })));
      })();
      await expect(reading).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
    });
  });

  it('refuses a call whose deadline has passed', async () => {
    const { billing } = await admitOnly(async () => ({ held: 0n }));
    // The message may reach customers, so it names no method.
    const message = 'the request was not answered in time';
    await expect(billing.admit({}, startCall({ timeoutMs: -1 }))).rejects.toMatchObject({
      code: 'RELAY_TIMEOUT',
      message,
    });
  });

  it('rebuilds a contract error with all its fields', async () => {
    const thrown = new AppError('PROVIDER_ERROR', 'the provider refused', {
      upstreamStatus: 429,
      providerRequestId: 'p-1',
      detail: 'slow down',
      retryAfterSeconds: 7,
      fields: [{ field: 'a', message: 'b' }],
      failures: [
        {
          layer: 'upstream',
          cause: 'timeout',
          statusCode: 504,
          code: 'PROVIDER_TIMEOUT',
          message: 'm',
          retryable: true,
        },
      ],
    });
    const { billing } = await admitOnly(() => Promise.reject(thrown));
    const error = await billing.admit({}, startCall()).catch((e: unknown) => e);
    expect(isAppError(error)).toBe(true);
    const { code, message, status, upstreamStatus, providerRequestId, detail, retryAfterSeconds, fields, failures } =
      thrown;
    expect(error).toMatchObject({
      code,
      message,
      status,
      upstreamStatus,
      providerRequestId,
      detail,
      retryAfterSeconds,
      fields,
      failures,
    });
  });

  it('hides errors that are not contract errors, and reports each once', async () => {
    const reported: unknown[] = [];
    onUnexpectedError((error) => reported.push(error));
    const { billing } = await admitOnly(() => Promise.reject(new Error('a secret of the database')));
    const error = await billing.admit({}, startCall()).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(String((error as Error).message)).not.toContain('secret');
    expect(reported).toHaveLength(1);
  });

  it('delivers a stream in order, however long', async () => {
    const { inference } = await generateOnly(async function* () {
      for (let i = 0; i < 1_000; i++) yield { data: Uint8Array.of(i & 255) };
    });
    const got: number[] = [];
    for await (const item of inference.generate({}, startCall())) got.push(item.data[0] as number);
    expect(got).toEqual(Array.from({ length: 1_000 }, (_, i) => i & 255));
  });

  it('delivers what came before a stream failed, then the error', async () => {
    const { inference } = await generateOnly(async function* () {
      yield { data: Uint8Array.of(1) };
      throw new AppError('PROVIDER_TIMEOUT', 'silence');
    });
    const got: number[] = [];
    const reading = (async () => {
      for await (const item of inference.generate({}, startCall())) got.push(item.data[0] as number);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', message: 'silence' });
    expect(got).toEqual([1]);
  });

  it('stops the callee when the reader leaves, and does not run ahead of a slow reader without bound', async () => {
    let produced = 0;
    let ended: (() => void) | undefined;
    const callee = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const { inference } = await generateOnly(async function* (call) {
      try {
        while (!call.isAborted && produced < 100_000) {
          produced++;
          yield { data: new Uint8Array(10_000) };
        }
      } finally {
        ended?.();
      }
    });
    let taken = 0;
    for await (const _ of inference.generate({}, startCall())) {
      if (++taken === 3) {
        await new Promise((resolve) => setTimeout(resolve, 100)); // the callee may run ahead now, within its window
        break;
      }
    }
    await callee;
    expect(produced).toBeLessThan(5_000);
  });

  it('aborts the callee when the caller is aborted', async () => {
    const { inference } = await generateOnly(async function* (call) {
      yield { data: Uint8Array.of(1) };
      if (!call.isAborted) await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
    });
    const caller = new AbortController();
    const reading = (async () => {
      for await (const _ of inference.generate({}, startCall({ signal: caller.signal })))
        caller.abort(new AppError('RELAY_TIMEOUT', 'the client left'));
    })();
    await expect(reading).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
  });

  it('lets running calls finish when the callee drains', async () => {
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started: (() => void) | undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { billing, cut } = await admitOnly(async () => {
      started?.();
      await gate;
      return { held: 1n };
    });
    const answer = billing.admit({}, startCall());
    await running;
    const stopping = cut();
    release?.();
    expect((await answer).decision.case).toBe('admitted');
    await stopping;
  });

  it('reports an unavailable service', async () => {
    const { billing, cut } = await admitOnly(async () => ({ held: 0n }));
    await billing.admit({}, startCall());
    await cut();
    await expect(billing.admit({}, startCall({ timeoutMs: 3_000 }))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('a callee of an earlier version', () => {
  it.each([
    ['a lane', ALL],
    ['a call of its own', new Set<string>()],
  ])('reports a method of %s that it does not have as unavailable for now, and not delivered', async (_, hot) => {
    const onlyInference = registrations(
      async () => ({ held: 0n }),
      async function* () {},
    ).slice(1);
    const { billing } = await overGrpc(onlyInference, hot);
    const error = await billing.release({}, startCall()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    expect(wasNotDelivered(error)).toBe(true);
    expect((error as Error).message).not.toMatch(/tollgate|Release/);
  });
});
