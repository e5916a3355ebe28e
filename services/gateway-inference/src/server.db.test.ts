import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BillingService, SettleOutcome, type SettleRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect, InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import {
  type Client,
  GrpcNetwork,
  type Handlers,
  type RpcServer,
  register,
  startCall,
  startRpcServer,
} from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { configFromEnv } from './config.js';
import { startInference } from './server.js';
import { until } from './testing/condition.js';
import { ask, collect, decodeEvents } from './testing/inference-system.js';

let settled: SettleRequest[];
let database: TestDatabase;
let billing: RpcServer;
let running: RunningService;
let network: GrpcNetwork;
let client: Client<typeof InferenceService>;

beforeEach(async () => {
  settled = [];
  const handlers = Object.fromEntries(
    BillingService.methods.map(({ localName }) => [localName, () => Promise.reject(new Error(localName))]),
  );
  const settle = async (req: SettleRequest) => {
    settled.push(req);
    return { outcome: SettleOutcome.POSTED };
  };
  const service = register(BillingService, { ...handlers, settle } as unknown as Handlers<typeof BillingService>);
  billing = await startRpcServer({ port: 0, registrations: [service] });
  database = await testDatabase(import.meta.url);
  const env = {
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    SANDBOX_PROVIDER: '1',
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    BILLING_LEDGER_ADDR: billing.address,
  };
  running = await startInference(configFromEnv(env), { logger: silentLogger });
  network = new GrpcNetwork({ addresses: { [InferenceService.typeName]: running.address! } });
  client = network.client(InferenceService);
});

afterEach(async () => {
  await network.close();
  await running.stop();
  await billing.stop();
  await database.drop();
});

function turn(text: string, stream: boolean, signal?: AbortSignal) {
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY });
  const body = Buffer.from(JSON.stringify(ask(text)));
  const request = { dialect: Dialect.NATIVE, body, stream, modelId: 'sandbox/echo-1', maxOutputTokens: 100_000 };
  return client.generate(request, startCall({ principal, timeoutMs: 30_000, signal }));
}

describe('the service over gRPC', () => {
  it('answers and settles plain and streamed turns', async () => {
    expect(decodeEvents((await collect(turn('hi', false)))[0]!)[0]).toContain('Echo: hi');
    const events = (await collect(turn('write 50 words', true))).flatMap(decodeEvents);
    expect(events.at(-1)).toContain('"type":"completion"');
    expect(settled).toHaveLength(2);
  });

  it('cuts and settles a stream whose reader leaves', async () => {
    const leaving = new AbortController();
    const frames = turn('slow 10 ms write 5000 words', true, leaving.signal)[Symbol.asyncIterator]();
    const seen: string[] = [];
    while (!seen.some((data) => data.includes('"update"'))) seen.push(...decodeEvents((await frames.next()).value));
    leaving.abort(new Error('left'));
    await until('settled', () => settled.length === 1);
    expect(settled[0]).toMatchObject({ facts: { success: false, status: 499 }, usage: { estimated: true } });
    expect(settled[0]?.usage?.outputTokens).toBeGreaterThan(0n);
  });

  it('finishes and settles running turns before it stops', async () => {
    const reading = collect(turn('slow 20 ms abcdefgh', true));
    // Items of one stream arrive in order: when the second turn is answered, the first one is running.
    await collect(turn('hi', false));
    await running.stop();
    const events = (await reading).flatMap(decodeEvents);
    expect(events.at(-1)).toContain('"type":"completion"');
    expect(settled).toHaveLength(2);
  });

  it('lists the catalog by provider and capability', async () => {
    const list = async (provider: string, capability: string) => {
      const { modelsJson } = await client.listModels({ provider, capability }, startCall());
      return (JSON.parse(Buffer.from(modelsJson).toString()) as { model_id: string }[]).map(({ model_id: id }) => id);
    };
    expect((await list('sandbox', '')).every((id) => id.startsWith('sandbox/'))).toBe(true);
    expect(await list('sandbox', 'text')).toEqual(['sandbox/echo-1']);
    expect(await list('', 'image_generation')).toContain('sandbox/image-1');
    await expect(list('', 'telepathy')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
