import { setMaxListeners } from 'node:events';
import { type Catalog, loadCatalog } from '@tollgate/catalog';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import {
  createEventTransport,
  createRelay,
  type EventTransport,
  eventTransportConfig,
  type Relay,
} from '@tollgate/events';
import { createPool, prismaAdapter, prismaTransactions, QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import { type Client, GrpcNetwork, type Network } from '@tollgate/rpc';
import {
  type Clock,
  createLogger,
  type Logger,
  type Loop,
  type Stoppable,
  stopAll,
  systemClock,
} from '@tollgate/runtime';
import type pg from 'pg';
import type { Config } from './config.js';
import { runWork } from './operations/run-work.js';
import type { Compiler } from './plugin-compile/compiler.js';
import { startCompiler } from './plugin-compile/start-compiler.js';
import { PrismaClient } from './store/generated/client.js';
import { createPlanStore, type PlanStore } from './store/plans.js';
import { createSessionWriter } from './workers/append-session-messages.js';
import { createCostLearner } from './workers/learn-costs.js';
import { createPurge } from './workers/purge.js';
import { WakeUps } from './workers/wake-ups.js';
import { WorkPool } from './workers/work-pool.js';

export interface Context extends Stoppable {
  config: Config;
  logger: Logger;
  clock: Clock;
  pool: pg.Pool;
  prisma: PrismaClient;
  catalog: Catalog;
  plans: PlanStore;
  clients: {
    billing: Client<typeof BillingService>;
    holds: Client<typeof HoldService>;
    inference: Client<typeof InferenceService>;
    tools: Client<typeof ToolService>;
    toolState: Client<typeof ToolStateService>;
    agents: Client<typeof AgentService>;
    sessions: Client<typeof SessionService>;
  };
  /** Of plugins and skills. */
  compiler: Compiler;
  wakeUps: WakeUps;
  work: WorkPool;
  sessionWriter: Loop;
  /** Aborted when the process is about to stop: readers of logs come back elsewhere with their position. */
  closing: AbortController;
  events: EventTransport;
  relay: Relay;
}

export interface ContextOverrides {
  /** Where the peers are; default: gRPC at their configured addresses. */
  network?: Network;
  logger?: Logger;
  clock?: Clock;
}

/** However short the leases: a process that is merely slow is not cut off amid a transition. */
const HALT_MS_MIN = 2_000;

/** The only place that constructs. The schema is migrated before; work begins when the caller says so. */
export async function createContext(config: Config, overrides: ContextOverrides = {}): Promise<Context> {
  const logger = overrides.logger ?? createLogger('workflow-engine', config.logLevel);
  const { url, schema, poolMax } = config.database;
  const onIdleError = (err: Error) => logger.warn({ err }, 'an idle database connection broke');
  // A process that halts amid a transition holds its run's row no longer than its leases.
  const settings = {
    ...QUEUE_SESSION_SETTINGS,
    idle_in_transaction_session_timeout: String(Math.max(config.work.leaseMs, HALT_MS_MIN)),
  };
  const pool = createPool({ url, schema, max: poolMax, settings, onIdleError });
  const transport = eventTransportConfig(config.events, { name: 'workflow-engine', databaseUrl: url, logger });
  const events = createEventTransport(transport);
  await events.start();
  const network = overrides.network ?? grpcNetwork(config);
  const prisma = new PrismaClient({ adapter: prismaAdapter(pool, schema), transactionOptions: prismaTransactions });
  const relay = createRelay({ pool, schema, source: '/tollgate/workflow-engine', transport: events, logger });
  const wakeUps = new WakeUps({
    pool,
    database: { url, schema },
    logger,
    usesNotify: config.usesNotify,
    pollMs: config.work.pollMs,
  });
  const clients = {
    billing: network.client(BillingService),
    holds: network.client(HoldService),
    inference: network.client(InferenceService),
    tools: network.client(ToolService),
    toolState: network.client(ToolStateService),
    agents: network.client(AgentService),
    sessions: network.client(SessionService),
  };
  const work = new WorkPool({ ...config.work, pool, logger, run: (item, signal) => runWork(ctx, item, signal) });
  const purge = createPurge(pool, logger, config.retentionMs);
  const costs = createCostLearner({ pool, logger, clients });
  const sessionWriter = createSessionWriter({ pool, logger, clients });
  wakeUps.onWork(() => work.wake());
  wakeUps.onRunCut(() => work.checkLeases());
  const connections = { stop: () => closeConnections(pool, prisma, overrides.network ? undefined : network) };
  const clock = overrides.clock ?? systemClock;
  const closing = new AbortController();
  // Every reader of a log listens.
  setMaxListeners(0, closing.signal);
  const catalog = catalogOf(config);
  const compiler = startCompiler({
    config: config.compile,
    pool,
    clock,
    logger,
    clients: { ...clients, catalog, logger },
  });
  const ctx: Context = {
    config,
    logger,
    clock,
    pool,
    prisma,
    catalog,
    plans: createPlanStore(),
    clients,
    compiler,
    wakeUps,
    work,
    sessionWriter,
    closing,
    events,
    relay,
    stop: () => stopAll(connections, events, relay, purge, costs, sessionWriter, wakeUps, work, compiler),
  };
  return ctx;
}

function catalogOf(config: Config): Catalog {
  const { modelCatalogFile: overrideFile, sandboxProvider: sandbox } = config;
  return loadCatalog({ ...(overrideFile !== undefined && { overrideFile }), sandbox });
}

function grpcNetwork({ peers, tls }: Config): GrpcNetwork {
  const addresses = {
    [BillingService.typeName]: peers.billing,
    [HoldService.typeName]: peers.billing,
    [InferenceService.typeName]: peers.inference,
    [ToolService.typeName]: peers.inference,
    [ToolStateService.typeName]: peers.agents,
    [AgentService.typeName]: peers.agents,
    [SessionService.typeName]: peers.agents,
  };
  return new GrpcNetwork({ addresses, tls });
}

async function closeConnections(pool: pg.Pool, prisma: PrismaClient, network: Network | undefined): Promise<void> {
  await network?.close();
  await prisma.$disconnect();
  await pool.end();
}
