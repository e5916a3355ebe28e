import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Client, GrpcNetwork, LocalNetwork, type RpcServer, startRpcServer } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { configFromEnv } from './config.js';
import { startWorkflow } from './server.js';
import { checkLog } from './testing/check-log.js';
import { callAs } from './testing/engine-fixture.js';
import { FakeBilling } from './testing/fake-billing.js';
import { FakeInference } from './testing/fake-inference.js';
import { awaitEnd, createRun, readLog, say, until } from './testing/run-client.js';

let database: TestDatabase;
let peers: RpcServer;
let inference: FakeInference;
let engine: RunningService;
let network: GrpcNetwork;
let client: Client<typeof WorkflowService>;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});
afterAll(() => database.drop());

beforeEach(async () => {
  const shared = new LocalNetwork();
  const billing = new FakeBilling();
  inference = new FakeInference(shared);
  shared.register(billing.registration());
  peers = await startRpcServer({
    port: 0,
    registrations: [billing.registration(), inference.registration()],
    drainMs: 100,
  });
  const config = configFromEnv({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    BILLING_LEDGER_ADDR: peers.address,
    GATEWAY_INFERENCE_ADDR: peers.address,
    DRAIN_TIMEOUT: '100ms',
  });
  engine = await startWorkflow(config, { logger: silentLogger });
  network = new GrpcNetwork({ addresses: { [WorkflowService.typeName]: engine.address! } });
  client = network.client(WorkflowService);
});
afterEach(async () => {
  await network.close();
  await engine.stop();
  await peers.stop();
});

const spec = { kind: 'workflow.v0', nodes: [say('a', 'hello there')] };

describe('the service over gRPC', () => {
  it('migrates its schema, executes a run, and streams its events', async () => {
    const runId = await createRun(client, spec);
    expect((await awaitEnd(client, runId)).status).toBe('succeeded');
    await checkLog(client, runId);
  });

  it('carries the issues of a spec and the errors of a stream', async () => {
    await expect(createRun(client, { kind: 'x' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{}, {}],
    });
    const unknownRunId = '66666666-6666-4666-8666-666666666666';
    await expect(readLog(client, unknownRunId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('stops without waiting for readers, and ends their streams cleanly', async () => {
    inference.reply = () => ({ gate: new Promise(() => undefined) });
    const runId = await createRun(client, spec);
    await until(() => inference.calls.length === 1);
    let isOpen = false;
    const reading = (async () => {
      const lines: string[] = [];
      for await (const { events } of client.streamRunEvents({ runId, wait: true }, callAs())) {
        isOpen = true;
        lines.push(...events.map((event) => event.type));
      }
      return lines;
    })();
    await until(() => isOpen);
    await engine.stop();
    expect(await reading).toEqual(['run_compiled', 'run_started', 'node_started']);
    engine = { ...engine, stop: async () => undefined };
  });
});
