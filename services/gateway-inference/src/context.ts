import type { ProviderId } from '@tollgate/api';
import { type Catalog, loadCatalog } from '@tollgate/catalog';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { createPool, prismaAdapter } from '@tollgate/postgres';
import type { Client, Network } from '@tollgate/rpc';
import type { Clock, Logger } from '@tollgate/runtime';
import { createSafeFetch } from '@tollgate/safe-fetch';
import type pg from 'pg';
import { DirectoryStorage } from './clients/directory-storage.js';
import type { ImageStorage } from './clients/image-storage.js';
import { MemoryResponseCache } from './clients/memory-response-cache.js';
import { RedisResponseCache } from './clients/redis-response-cache.js';
import type { ResponseCache } from './clients/response-cache.js';
import { S3Storage } from './clients/s3-storage.js';
import { Settlements } from './clients/settlements.js';
import type { Config } from './config.js';
import { Circuits } from './providers/circuits.js';
import type { ImageProvider } from './providers/contract/image-provider.js';
import type { MediaProvider } from './providers/contract/media-provider.js';
import type { Provider } from './providers/contract/provider.js';
import { guardedLookup } from './providers/transport/guarded-lookup.js';
import { anthropic, connectWith, googleAiStudio, openai, sandbox, type Vendor, xai } from './providers/vendors.js';
import { PrismaClient } from './store/generated/client.js';
import { PageReader } from './tools/page-reader.js';
import type { PublicWeb } from './tools/web-fetch.js';
import { createWebSearch, type WebSearch } from './tools/web-search.js';
import type { WatchedTurn } from './workers/turn-watch.js';

export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  catalog: Catalog;
  /** Those that the configuration names. */
  providers: ReadonlyMap<ProviderId, Provider>;
  circuits: Circuits;
  imageProviders: ReadonlyMap<ProviderId, ImageProvider>;
  mediaProviders: ReadonlyMap<ProviderId, MediaProvider>;
  billing: Client<typeof BillingService>;
  holds: Client<typeof HoldService>;
  toolState: Client<typeof ToolStateService>;
  toolHooks: Client<typeof ToolHookService>;
  messaging: Client<typeof MessagingService>;
  webSearch: WebSearch;
  /** Reads public pages; absent when web_fetch is switched off. */
  web: PublicWeb | undefined;
  settlements: Settlements;
  pool: pg.Pool;
  db: PrismaClient;
  /** Absent: images are only answered as bytes. */
  imageStorage: ImageStorage | undefined;
  responseCache: ResponseCache;
  /** Turns that have begun and are not settled yet. */
  liveTurns: Set<WatchedTurn>;
}

export interface ContextParts {
  config: Config;
  logger: Logger;
  clock: Clock;
  network: Network;
}

/** The only place that constructs. The database must be migrated. @throws CatalogError */
export function createContext({ config, logger, clock, network }: ContextParts): Context {
  const billing = network.client(BillingService);
  const vendors = configuredVendors(config);
  const pool = openPool(config, logger);
  return {
    config,
    logger,
    clock,
    catalog: loadCatalog({
      sandbox: config.sandbox,
      ...(config.catalogFile === undefined ? {} : { overrideFile: config.catalogFile }),
    }),
    providers: byId(vendors.map(({ models }) => models)),
    circuits: new Circuits(config.circuit, clock, logger),
    imageProviders: byId(vendors.flatMap(({ images }) => images ?? [])),
    mediaProviders: byId(vendors.flatMap(({ media }) => media ?? [])),
    billing,
    holds: network.client(HoldService),
    toolState: network.client(ToolStateService),
    toolHooks: network.client(ToolHookService),
    messaging: network.client(MessagingService),
    webSearch: createWebSearch(config.webSearch),
    web: config.webFetch ? { client: createSafeFetch(), reader: new PageReader() } : undefined,
    settlements: new Settlements({ billing, logger, retryForMs: config.settleRetryForMs }),
    pool,
    db: new PrismaClient({ adapter: prismaAdapter(pool, config.database.schema) }),
    imageStorage: imageStorage(config),
    responseCache: responseCache(config, logger),
    liveTurns: new Set(),
  };
}

function configuredVendors(config: Config): Vendor[] {
  const connect = connectWith({ ...config.upstream, lookup: guardedLookup(config.allowPrivateEndpoints) });
  const vendors: Vendor[] = [];
  if (config.sandbox) vendors.push(sandbox());
  if (config.openai) vendors.push(openai({ ...config.openai, hasResponses: config.openaiResponses }, connect));
  if (config.anthropic) vendors.push(anthropic(config.anthropic, connect));
  if (config.google) vendors.push(googleAiStudio(config.google, connect));
  if (config.xai) vendors.push(xai(config.xai, connect));
  return vendors;
}

function byId<Item extends { id: ProviderId }>(items: readonly Item[]): Map<ProviderId, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

function openPool({ database: { url, schema, poolMax } }: Config, logger: Logger): pg.Pool {
  const onIdleError = (err: Error): void => logger.warn({ err }, 'an idle database connection broke');
  return createPool({ url, schema, max: poolMax, onIdleError });
}

function responseCache({ redisUrl, responseCacheTtlMs }: Config, logger: Logger): ResponseCache {
  return redisUrl === undefined
    ? new MemoryResponseCache(responseCacheTtlMs)
    : new RedisResponseCache(redisUrl, responseCacheTtlMs, logger);
}

function imageStorage({ imageStorage: storage }: Config): ImageStorage | undefined {
  if (storage === undefined) return undefined;
  return storage.kind === 's3' ? new S3Storage(storage) : new DirectoryStorage(storage.directory);
}
