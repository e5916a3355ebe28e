import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { configFromEnv as billingConfig, startBilling } from '@tollgate/billing-ledger';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { type Call, type Client, LocalNetwork, register, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv, startWorkflow } from '@tollgate/workflow-engine';
import { type ChainOptions, type ChainResult, measureChains, POOL_MAX } from './durable-steps.js';

const MODEL = 'sandbox/echo-1';
const USAGE = { inputTokens: 40n, outputTokens: 60n };
const READERS = 100;
/** Nodes of the run that is read. */
const READ_NODES = 400;

/** Parameters of a chain. */
export type NodeKind = 'transforms' | 'model calls';

export interface ReadResult {
  events: number;
  readers: number;
  /** Total of all readers during the run. */
  livePerSecond: number;
  /** Total of all readers of the finished run. */
  storedPerSecond: number;
}

/** The engine and the ledger in this process on one database, with a model that answers at once. */
export interface EngineHarness {
  chains(kind: NodeKind, options: ChainOptions): Promise<ChainResult>;
  readers(): Promise<ReadResult>;
  stop(): Promise<void>;
}

export async function startEngineHarness(databaseUrl: string): Promise<EngineHarness> {
  const id = randomUUID().slice(0, 8);
  const env = { DATABASE_URL: databaseUrl, SANDBOX_PROVIDER: '1', LOG_LEVEL: 'silent' };
  const network = new LocalNetwork();
  const ledger = billingConfig({ ...env, DATABASE_SCHEMA: `bench_${id}` });
  const billing = await startBilling(ledger, { network, logger: silentLogger });
  network.register(instantModel(network));
  const config = configFromEnv({ ...env, DATABASE_SCHEMA: `bench_runs_${id}`, DATABASE_POOL_MAX: String(POOL_MAX) });
  const engine = await startWorkflow(config, { network, logger: silentLogger });
  const harness: Harness = { client: network.client(WorkflowService), call: await fundedOwner(network) };
  return {
    chains: (kind, options) => {
      const spec = buildChain(kind, options.length);
      return measureChains(() => runChain(harness, spec), options);
    },
    readers: () => startReaders(harness),
    stop: async () => {
      await engine.stop();
      await billing.stop();
    },
  };
}

interface Harness {
  client: Client<typeof WorkflowService>;
  call(): Call;
}

/** A fake of the gateway: settles and answers in its order, without a network. */
function instantModel(network: LocalNetwork) {
  return register(InferenceService, {
    async *generate(request, call) {
      const ledger = network.client(BillingService);
      const settling = ledger.settle({ holdId: call.requestId, usage: USAGE }, call.detached(5_000));
      const head = { model: request.modelId, provider: 'bench' };
      const usage = { input_tokens: 40, output_tokens: 60, total_tokens: 100 };
      const facts = { ...head, stop_reason: 'stop', usage };
      const message = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'An answer.' }] };
      const body = request.stream
        ? { type: 'completion', request_id: call.requestId, response_id: 'resp', content: 'An answer.', ...facts }
        : { id: 'resp', output: [message], ...facts };
      settling.catch(() => undefined); // reported below
      const data = Buffer.from(JSON.stringify(body));
      if (request.answersBeforeSettlement) yield { ...head, data };
      await settling;
      yield { ...head, usage: USAGE, ...(!request.answersBeforeSettlement && { data }) };
    },
    listRoutes: async () => ({ routes: [] }),
    listModels: async () => ({ modelsJson: Buffer.from('[]') }),
    testConnection: async () => ({ succeeded: true }),
  });
}

async function fundedOwner(network: LocalNetwork): Promise<() => Call> {
  const ids = { accountId: randomUUID(), projectId: randomUUID(), keyId: randomUUID() };
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, ...ids });
  const call = () => startCall({ principal, timeoutMs: 120_000 });
  const target = { case: 'account' as const, value: true };
  const grant = { target, amountMicrocents: 10n ** 15n, reason: 'top_up', cause: randomUUID() };
  await network.client(BillingService).grantCredit(grant, call());
  return call;
}

/** Each node reads the output of the previous node, or waits for it. */
function buildChain(kind: NodeKind, length: number): Uint8Array {
  const ids = Array.from({ length }, (_, index) => `n${index}`);
  const message = { type: 'message', role: 'user', content: [{ type: 'text', text: 'Why is the sky blue?' }] };
  const request = { model: MODEL, max_output_tokens: 100, input: [message] };
  const nodes = ids.map((id, index) => {
    if (kind === 'model calls' || index === 0) {
      return kind === 'model calls'
        ? { id, type: 'llm.responses', input: { request } }
        : { id, type: 'transform.json', input: { object: {} } };
    }
    const from = ids[index - 1] as string;
    return index % 2 === 0
      ? { id, type: 'join.all' }
      : { id, type: 'transform.json', input: { object: { it: { from } } } };
  });
  const isLed = (index: number) => index > 0 && (kind === 'model calls' || index % 2 === 0);
  const edges = ids.flatMap((to, index) => (isLed(index) ? [{ from: ids[index - 1], to }] : []));
  return Buffer.from(
    JSON.stringify({ kind: 'workflow.v0', nodes, edges, outputs: [{ name: 'end', from: ids.at(-1) }] }),
  );
}

/** Milliseconds between the ends of consecutive nodes by the log's times; the first counts from the run's start. */
async function runChain({ client, call }: Harness, specJson: Uint8Array): Promise<number[]> {
  const { runId } = await client.createRun({ specJson }, call());
  const took: number[] = [];
  let last = 0;
  let end = '';
  for await (const { events } of client.streamRunEvents({ runId, wait: true }, call())) {
    for (const { data } of events) {
      const { type, ts } = JSON.parse(Buffer.from(data).toString());
      end = type;
      if (type === 'run_started') last = Date.parse(ts);
      if (type !== 'node_succeeded') continue;
      took.push(Date.parse(ts) - last);
      last = Date.parse(ts);
    }
  }
  if (end !== 'run_completed') throw new Error(`a run ended with ${end}`);
  return took;
}

async function startReaders({ client, call }: Harness): Promise<ReadResult> {
  const { runId } = await client.createRun({ specJson: buildChain('transforms', READ_NODES) }, call());
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const { events } of client.streamRunEvents({ runId, wait: true }, call())) count += events.length;
    return count;
  };
  const readAll = async (): Promise<{ counts: number[]; perSecond: number }> => {
    const started = performance.now();
    const counts = await Promise.all(Array.from({ length: READERS }, read));
    const total = counts.reduce((sum, count) => sum + count, 0);
    return { counts, perSecond: total / ((performance.now() - started) / 1000) };
  };
  const live = await readAll();
  const stored = await readAll();
  if (new Set([...live.counts, ...stored.counts]).size !== 1) throw new Error('readers have read different logs');
  return {
    events: live.counts[0] ?? 0,
    readers: READERS,
    livePerSecond: live.perSecond,
    storedPerSecond: stored.perSecond,
  };
}
