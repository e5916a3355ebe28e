import { type Catalog, openCatalog } from '@tollgate/catalog';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { ConnectionService } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { McpServerService } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import type { Metrics } from '@tollgate/metrics';
import type { Client } from '@tollgate/rpc';
import { type Clock, type Logger, Standstill } from '@tollgate/runtime';
import { JsonThread } from '@tollgate/runtime/threads';
import { createSafeFetch } from '@tollgate/safe-fetch';
import type { Health, Parts } from '@tollgate/service';
import { createLedger, type Ledger } from '@tollgate/spending';
import { SchemaThread } from '@tollgate/tools/schema-thread';
import type pg from 'pg';
import { DirectoryStorage } from './clients/directory-storage.js';
import type { ImageStorage } from './clients/image-storage.js';
import { MemoryResponseCache } from './clients/memory-response-cache.js';
import type { ResponseCache } from './clients/response-cache.js';
import { S3Storage } from './clients/s3-storage.js';
import { Settlements } from './clients/settlements.js';
import { ImageFetcher } from './clients/web/image-fetcher.js';
import type { Config } from './config.js';
import type { OpenSession } from './domain/realtime/open-session.js';
import { WorkMetrics } from './operations/held-work/work-metrics.js';
import { ResponseLimits } from './operations/responses/response-limits.js';
import { Circuits } from './providers/circuits.js';
import { Connections } from './providers/connections/connections.js';
import { ConnectionsFileState, readConnectionsFile } from './providers/connections/connections-file.js';
import type { ConnectionOptions } from './providers/connections/open-connection.js';
import { OwnConnections } from './providers/connections/own-connections.js';
import { guardedLookup } from './providers/transport/guarded-lookup.js';
import { PageReader } from './tools/page-reader.js';
import type { PublicWeb } from './tools/web-fetch.js';
import { createWebSearch, type WebSearch } from './tools/web-search.js';
import type { WatchedTurn } from './workers/turn-watch.js';

export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  catalog: Catalog;
  /** The ways to model providers. */
  connections: Connections;
  /** Whether CONNECTIONS_FILE could be read. */
  connectionsFile: ConnectionsFileState;
  /** Limits and name lookup of connections. */
  connectionOptions: ConnectionOptions;
  /** The ways to model providers that projects have themselves. */
  ownConnections: OwnConnections;
  connectionClient: Client<typeof ConnectionService>;
  circuits: Circuits;
  /** Open sessions. A stop lets their responses finish. */
  realtimeSessions: Set<OpenSession>;
  billing: Client<typeof BillingService>;
  /** For tool calls that spend money. */
  ledger: Ledger;
  holds: Client<typeof HoldService>;
  toolState: Client<typeof ToolStateService>;
  toolHooks: Client<typeof ToolHookService>;
  mcpServers: Client<typeof McpServerService>;
  agents: Client<typeof AgentService>;
  messaging: Client<typeof MessagingService>;
  webSearch: WebSearch;
  /** Reads public pages; absent when WEB_FETCH=0. */
  web: PublicWeb | undefined;
  /** Reads images that clients link to; absent when WEB_FETCH=0. */
  images: ImageFetcher | undefined;
  settlements: Settlements;
  /** Counts tokens and requests to providers. */
  workMetrics: WorkMetrics;
  pool: pg.Pool;
  /** Absent: images are returned as bytes only. */
  imageStorage: ImageStorage | undefined;
  responseCache: ResponseCache;
  responseLimits: ResponseLimits;
  /** Reads and writes large bodies. */
  jsonThread: JsonThread;
  /** Checks arguments of tools by the schemas that clients declare. */
  schemas: SchemaThread;
  /** Turns that are not settled yet. */
  liveTurns: Set<WatchedTurn>;
}

/** Constructs what the operations use. @throws CatalogError */
export async function createContext(parts: Parts<Config>): Promise<Context> {
  const { config, logger, clock, network } = parts;
  const pool = parts.openPool();
  const billing = network.client(BillingService);
  const holds = network.client(HoldService);
  const client = config.webFetch ? createSafeFetch() : undefined;
  const connectionClient = network.client(ConnectionService);
  const connectionOptions = toConnectionOptions(config, parts.keep(new Standstill()), logger);
  const ctx: Context = {
    config,
    logger,
    clock,
    catalog: await openCatalog({
      sandbox: config.sandboxProvider,
      promptOverheadTokens: config.promptOverheadTokens,
      ...(config.modelCatalogFile === undefined ? {} : { overrideFile: config.modelCatalogFile }),
    }),
    connectionsFile: new ConnectionsFileState(),
    connections: openConnections(config, connectionOptions),
    connectionOptions,
    connectionClient,
    ownConnections: new OwnConnections({
      client: connectionClient,
      connections: connectionOptions,
      allowPrivate: config.allowPrivateEndpoints,
      ...{ circuits: config.circuit, clock, logger },
    }),
    circuits: new Circuits(config.circuit, clock, logger),
    realtimeSessions: new Set(),
    billing,
    ledger: createLedger({ billing, holds, logger }),
    holds,
    toolState: network.client(ToolStateService),
    toolHooks: network.client(ToolHookService),
    mcpServers: network.client(McpServerService),
    agents: network.client(AgentService),
    messaging: network.client(MessagingService),
    webSearch: createWebSearch(config.webSearch),
    web: client && { client, reader: parts.keep(new PageReader()) },
    images: client && new ImageFetcher(client),
    settlements: new Settlements({ billing, logger, retryForMs: config.settleRetryForMs }),
    workMetrics: new WorkMetrics(parts.metrics),
    pool,
    imageStorage: toImageStorage(config),
    responseCache: await openResponseCache(parts),
    responseLimits: new ResponseLimits(),
    jsonThread: parts.keep(new JsonThread()),
    schemas: parts.keep(new SchemaThread()),
    liveTurns: new Set(),
  };
  parts.keep({ stop: () => closeProviders(ctx) });
  watchProviders(parts.health, ctx.circuits);
  observeConnections(parts.metrics, ctx);
  return ctx;
}

async function closeProviders(ctx: Context): Promise<void> {
  await Promise.all([
    ctx.connections.close(),
    ctx.ownConnections.close(),
    ctx.webSearch.close(),
    ctx.web?.client.close(),
  ]);
}

function observeConnections(metrics: Metrics, { connections, connectionsFile, circuits }: Context): void {
  metrics.observe({
    series: {
      open: {
        name: 'tollgate_provider_circuit_open',
        help: '1 while a model of the connection is avoided because it failed in the last 10 minutes.',
        labels: ['provider', 'connection'],
      },
      invalid: {
        name: 'tollgate_connections_file_invalid',
        help: '1 while CONNECTIONS_FILE cannot be used, so that the last good connections stay.',
      },
    },
    read() {
      const failing = circuits.failingConnections;
      const open = connections.list().map(({ id: connection, models }) => ({
        labels: { provider: models.id, connection },
        value: failing.includes(connection) ? 1 : 0,
      }));
      return { open, invalid: [{ labels: {}, value: connectionsFile.problem === '' ? 0 : 1 }] };
    },
  });
}

function toConnectionOptions(config: Config, standstill: Standstill, logger: Logger): ConnectionOptions {
  return { limits: config.upstream, lookup: guardedLookup(config.allowPrivateEndpoints), standstill, logger };
}

function openConnections(config: Config, options: ConnectionOptions): Connections {
  const fromFile = config.connectionsSource === undefined ? [] : readConnectionsFile(config.connectionsSource);
  return new Connections([...config.defaultConnections, ...fromFile], options, { sandbox: config.sandboxProvider });
}

async function openResponseCache({ config, logger, keep, health }: Parts<Config>): Promise<ResponseCache> {
  const { redisUrl, responseCacheTtlMs } = config;
  if (redisUrl === undefined) return keep(new MemoryResponseCache(responseCacheTtlMs));
  // The client of Redis is large: it is loaded only where it is used.
  const { RedisResponseCache } = await import('./clients/redis-response-cache.js');
  const cache = keep(new RedisResponseCache(redisUrl, responseCacheTtlMs, logger));
  health.watch({ name: 'redis', effect: 'no answer is cached', check: () => cache.check() });
  return cache;
}

/** A failing provider degrades the process, never more: its routes are avoided and other providers serve. */
function watchProviders(health: Health, circuits: Circuits): void {
  health.watch({
    name: 'providers',
    async check() {
      const failing = circuits.failingConnections;
      return failing.length === 0 ? undefined : `routes of ${failing.join(', ')} fail and are avoided`;
    },
  });
}

function toImageStorage({ imageStorage: storage }: Config): ImageStorage | undefined {
  if (storage === undefined) return undefined;
  return storage.kind === 's3' ? new S3Storage(storage) : new DirectoryStorage(storage.directory);
}
