import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Catalog, openCatalog } from '@tollgate/catalog';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import type { Relay } from '@tollgate/events';
import { observeQueue } from '@tollgate/metrics';
import type { PluginCompiler } from '@tollgate/plugin-compiler';
import { QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import type { Client, Network } from '@tollgate/rpc';
import { type Clock, FairSlots, type Logger, type Loop, stopTogether } from '@tollgate/runtime';
import { JsonThread } from '@tollgate/runtime/threads';
import type { Parts } from '@tollgate/service';
import { createLedger, type Ledger } from '@tollgate/spending';
import { CompileThread } from './clients/compile-thread.js';
import type { Config } from './config.js';
import type { WorkItem } from './domain/run/work-item.js';
import { createBackgroundPool } from './execution/background/run-background.js';
import { createLinePool } from './execution/batches/batch-pool.js';
import { EarlyAdmissions } from './execution/model-steps/early-admissions.js';
import { createDependencies, type RequestPool } from './execution/requests/request-pool.js';
import { RunStates } from './execution/run-states.js';
import { runWork } from './execution/run-work.js';
import { RunWriter } from './execution/run-writer.js';
import { WakeUps } from './execution/wake-ups.js';
import { createWorkPool, type WorkPool } from './execution/work-pool.js';
import { BACKGROUND_QUEUE, createEngineMetrics, type EngineMetrics, QUEUE } from './metrics.js';
import { startCompiler } from './start-compiler.js';
import { type BackgroundItem, readDueBackground } from './store/background/background-queue.js';
import type { LineItem } from './store/batches/batch-lines.js';
import type { Pool } from './store/database.js';
import { createPlanStore, type PlanStore } from './store/plans.js';
import { type Lease, readDueWork } from './store/queues/run-work.js';
import { createSessionWriter } from './workers/append-session-messages.js';
import { createHoldKeeper } from './workers/keep-waiting-holds.js';
import { createCostLearner } from './workers/learn-costs.js';
import { createPurge } from './workers/purge.js';
import { createDiscardRepeater } from './workers/repeat-discards.js';

export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  pool: Pool;
  catalog: Catalog;
  plans: PlanStore;
  runStates: RunStates;
  runWriter: RunWriter;
  /** For work that spends money. */
  ledger: Ledger;
  /** Holds of nodes that are about to start. */
  earlyAdmissions: EarlyAdmissions;
  clients: {
    billing: Client<typeof BillingService>;
    holds: Client<typeof HoldService>;
    inference: Client<typeof InferenceService>;
    compat: Client<typeof CompatService>;
    storedResponses: Client<typeof StoredResponseService>;
    tools: Client<typeof ToolService>;
    toolState: Client<typeof ToolStateService>;
    agents: Client<typeof AgentService>;
    sessions: Client<typeof SessionService>;
  };
  /** Compiles what takes long. */
  compileThread: CompileThread;
  /** Compiles plugins and skills into workflows. */
  compiler: PluginCompiler;
  wakeUps: WakeUps;
  work: WorkPool;
  /** The leases of runs' work. */
  lease: Lease;
  /** Runs the lines of batches. */
  batches: RequestPool<LineItem>;
  /** Makes responses in the background. */
  background: RequestPool<BackgroundItem>;
  /** Insertions that count what their project has: each waits for the others without a connection. */
  insertions: FairSlots;
  /** Parses large requests. */
  jsonThread: JsonThread;
  sessionWriter: Loop;
  /** Aborted when the process drains: readers of logs reconnect to another process with their position. */
  closing: AbortController;
  relay: Relay;
  metrics: EngineMetrics;
}

/** Lower bound of the idle-in-transaction timeout, so that a slow process is not cut off in mid-transaction. */
const IDLE_IN_TRANSACTION_MS_MIN = 2_000;
const HOLD_ENDINGS_DRAIN_MS = 2_000;
/** Projects whose insertions run at once; the pool bounds those that have a connection. */
const INSERTIONS_MAX = 1_000;
/** Of all projects: one of them may use half. */
const WAITING_INSERTIONS_MAX = 1_000;

/** Constructs what the operations use, and starts all workers except `work`, `batches` and `background`. */
export async function createContext(parts: Parts<Config>): Promise<Context> {
  const { config, logger, clock, network, keep } = parts;
  const pool = parts.openPool({
    settings: QUEUE_SESSION_SETTINGS,
    // A process that halts in mid-transaction holds its run's row no longer than its leases.
    idleInTransactionTimeoutMs: Math.max(config.work.leaseMs, IDLE_IN_TRANSACTION_MS_MIN),
  });
  const relay = await parts.openRelay(pool);
  const metrics = createEngineMetrics(parts.metrics);
  observeQueue(parts.metrics, QUEUE, () => readDueWork(pool));
  observeQueue(parts.metrics, BACKGROUND_QUEUE, () => readDueBackground(pool));
  const clients = openClients(network);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every reader of a log listens
  const catalog = await readCatalog(config);
  const ledger = createLedger({ billing: clients.billing, holds: clients.holds, logger });
  keep({ stop: () => ledger.endings.drain(HOLD_ENDINGS_DRAIN_MS) });
  keep(createPurge(pool, logger, config.retentionMs));
  keep(createCostLearner({ pool, logger, clients }));
  keep(createHoldKeeper({ pool, logger, clients }));
  keep(createDiscardRepeater({ pool, logger, clients }));
  const sessionWriter = keep(createSessionWriter({ pool, logger, clients }));
  const { database, usesNotify } = config;
  const wakeUps = keep(new WakeUps({ pool, database, logger, usesNotify, pollMs: config.work.pollMs }));
  const runWriter = keep(new RunWriter({ pool, logger }));
  const onLeaseLost = () => metrics.leaseLost.add();
  const run = (item: WorkItem, signal: AbortSignal) => runWork(ctx, item, signal);
  const lease = { owner: randomUUID(), leaseMs: config.work.leaseMs };
  const work = createWorkPool({ ...config.work, pool, logger, lease, run, onLeaseLost });
  const jsonThread = keep(new JsonThread());
  const dependencies = createDependencies(logger);
  const queued = { pool, logger, catalog, ledger, clients, jsonThread, wakeUps, dependencies };
  const batches = createLinePool(queued, config.work);
  const background = createBackgroundPool(queued, config.work);
  // Each waits for its active items: one after the other, they would exceed the time that a process has to drain.
  keep({ stop: () => stopTogether(work, batches, background) });
  wakeUps.onWork(() => work.wake());
  wakeUps.onRunCut(() => work.checkLeases());
  const model = { inference: clients.inference, ledger, catalog };
  const compileThread = keep(new CompileThread());
  const compilerParts = { config: config.compile, pool, clock, logger, clients: model, thread: compileThread };
  const compiler = keep(startCompiler(compilerParts));
  const ctx: Context = {
    config,
    logger,
    clock,
    pool,
    catalog,
    plans: createPlanStore(),
    runStates: new RunStates(),
    runWriter,
    ledger,
    earlyAdmissions: new EarlyAdmissions(),
    clients,
    compileThread,
    compiler,
    wakeUps,
    work,
    lease,
    batches,
    background,
    insertions: new FairSlots({ slots: INSERTIONS_MAX, accountMax: 1, waitingMax: WAITING_INSERTIONS_MAX }),
    jsonThread,
    sessionWriter,
    closing,
    relay,
    metrics,
  };
  return ctx;
}

function openClients(network: Network): Context['clients'] {
  return {
    billing: network.client(BillingService),
    holds: network.client(HoldService),
    inference: network.client(InferenceService),
    compat: network.client(CompatService),
    storedResponses: network.client(StoredResponseService),
    tools: network.client(ToolService),
    toolState: network.client(ToolStateService),
    agents: network.client(AgentService),
    sessions: network.client(SessionService),
  };
}

function readCatalog(config: Config): Promise<Catalog> {
  const { modelCatalogFile: overrideFile, sandboxProvider: sandbox, promptOverheadTokens } = config;
  return openCatalog({ ...(overrideFile !== undefined && { overrideFile }), sandbox, promptOverheadTokens });
}
