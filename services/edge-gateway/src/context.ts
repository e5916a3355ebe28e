import { type Catalog, loadCatalog } from '@tollgate/catalog';
import { createPool, prismaAdapter, prismaTransactions } from '@tollgate/postgres';
import type { Network } from '@tollgate/rpc';
import { type Clock, type Logger, RetryQueue } from '@tollgate/runtime';
import type pg from 'pg';
import { CustomerLookup } from './auth/customer-lookup.js';
import { IdentityDirectory } from './auth/directory.js';
import { keyRingFromConfig } from './auth/key-ring.js';
import { OAuthProviders } from './auth/oauth-providers.js';
import { RevocationList } from './auth/revocation-list.js';
import { TokenAuthority } from './auth/token-authority.js';
import { type Clients, createClients } from './clients/clients.js';
import type { EdgeConfig } from './config.js';
import type { OpenStreams } from './http/stream-framing.js';
import { BodyBudget } from './limits/body-budget.js';
import { InsuredRateStore } from './limits/insured-rate-store.js';
import { MemoryRateStore } from './limits/memory-rate-store.js';
import type { RateStore } from './limits/rate-store.js';
import { RedisRateStore } from './limits/redis-rate-store.js';
import { TierLimits } from './limits/tier-limits.js';
import { TurnGate } from './limits/turn-gate.js';
import { loadStoredKeyRing } from './operations/tokens/signing-keys.js';
import { PrismaClient } from './store/generated/client.js';
import { KeyUsage } from './workers/key-usage.js';

export interface Context {
  config: EdgeConfig;
  logger: Logger;
  clock: Clock;
  clients: Clients;
  pool: pg.Pool;
  db: PrismaClient;
  /** Keys, projects and owners as requests need them. */
  directory: IdentityDirectory;
  customers: CustomerLookup;
  revocations: RevocationList;
  tokens: TokenAuthority;
  oauth: OAuthProviders;
  keyUsage: KeyUsage;
  rateStore: RateStore;
  tierLimits: TierLimits;
  /** Request bodies in memory. */
  bodies: BodyBudget;
  turnGate: TurnGate;
  /** Models as far as a request's size has to be judged before admission; whether one exists is not decided by it. */
  catalog: Catalog;
  /** Releases and supersessions of holds that the ledger has not acknowledged yet. */
  holdEndings: RetryQueue;
  openStreams: OpenStreams;
  lifecycle: { isDraining: boolean };
}

/** Far longer than a hold's life: an end that arrives after the hold has expired corrects the verdict. */
const HOLD_ENDINGS_RETRY_FOR_MS = 300_000;
const HOLD_ENDINGS_DRAIN_MS = 2_000;

export interface ContextParts {
  config: EdgeConfig;
  logger: Logger;
  clock: Clock;
  network: Network;
}

/** The only place that constructs. The database must be migrated. */
export async function createContext(parts: ContextParts): Promise<{ ctx: Context; close(): Promise<void> }> {
  const { config, logger, clock, network } = parts;
  const { url, schema, poolMax } = config.database;
  const pool = createPool({
    url,
    schema,
    max: poolMax,
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  const db = new PrismaClient({ adapter: prismaAdapter(pool, schema), transactionOptions: prismaTransactions });
  const clients = createClients(network);
  const redis = config.redisUrl === undefined ? undefined : new RedisRateStore(config.redisUrl, logger);
  redis?.start();
  const memory = new MemoryRateStore(clock);
  const holdEndings = new RetryQueue({
    logger,
    messages: { retrying: 'hold not ended; trying again', gaveUp: 'hold not ended; it will expire' },
    retryForMs: HOLD_ENDINGS_RETRY_FOR_MS,
  });
  const close = async (): Promise<void> => {
    await holdEndings.drain(HOLD_ENDINGS_DRAIN_MS);
    await redis?.stop();
    await db.$disconnect();
    await pool.end();
  };
  try {
    await db.$connect(); // loads its query compiler now, not under the first request
    const revocations = new RevocationList(clock);
    await revocations.poll(pool);
    const ctx: Context = {
      config,
      logger,
      clock,
      clients,
      pool,
      db,
      directory: new IdentityDirectory(db, clock),
      customers: new CustomerLookup(clients.billing, clock),
      revocations,
      tokens: await TokenAuthority.start({
        issuer: config.tokens.issuer,
        audience: config.tokens.audience,
        loadRing: ringLoader(config, pool, clock),
        clock,
      }),
      oauth: new OAuthProviders(config.oauth),
      keyUsage: new KeyUsage(),
      rateStore: redis ? new InsuredRateStore(redis, memory, clock) : memory,
      tierLimits: new TierLimits(clients.billing, clock, logger),
      bodies: new BodyBudget(config.http.bodyBytesInFlightMax),
      turnGate: new TurnGate(),
      catalog: loadCatalog({
        sandbox: true,
        ...(config.catalogFile === undefined ? {} : { overrideFile: config.catalogFile }),
      }),
      holdEndings,
      openStreams: new Set(),
      lifecycle: { isDraining: false },
    };
    return { ctx, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function ringLoader(config: EdgeConfig, pool: pg.Pool, clock: Clock) {
  const { privateKeys } = config.tokens;
  if (privateKeys !== undefined) return () => keyRingFromConfig(privateKeys);
  return () => loadStoredKeyRing(pool, config.pepper, clock.now());
}
