import { type Catalog, openCatalog } from '@tollgate/catalog';
import { ByteBudget, type Clock, FairSlots, type Logger, LoopShare } from '@tollgate/runtime';
import { JsonThread } from '@tollgate/runtime/threads';
import type { Health, Parts } from '@tollgate/service';
import { createLedger, type Ledger } from '@tollgate/spending';
import { SchemaThread } from '@tollgate/tools/schema-thread';
import type pg from 'pg';
import { CustomerLookup } from './auth/customer-lookup.js';
import { IdentityDirectory } from './auth/directory.js';
import { keyRingFromConfig } from './auth/key-ring.js';
import { OAuthProviders } from './auth/oauth-providers.js';
import { RevocationList } from './auth/revocation-list.js';
import { TokenAuthority } from './auth/token-authority.js';
import { type Clients, createClients } from './clients/clients.js';
import { LocalMailbox, type Mailer } from './clients/mail/mailer.js';
import type { EdgeConfig } from './config.js';
import type { OpenStreams } from './http/answer/stream.js';
import { RequestMetrics } from './http/exchange/request-metrics.js';
import { RealtimeSockets } from './http/realtime/realtime-sockets.js';
import { LiveViews, OpenPlaces } from './limits/open-places.js';
import { MemoryRateStore, type RateStore } from './limits/rate-limit.js';
import { TierLimits } from './limits/tier-limits.js';
import { loadStoredKeyRing } from './operations/tokens/signing-keys.js';
import { KeyUsage } from './workers/key-usage.js';
import { RefusalLog } from './workers/refusal-log.js';

/** A customer may watch each of its 20 unfinished responses twice. */
const BACKGROUND_STREAMS = {
  things: 'streams of background responses',
  advice: 'close one, or poll',
  max: 1_000,
  perProjectMax: 400,
  perCustomerMax: 40,
};

/**
 * Turns of all accounts that may be in admission at once: enough to fill the ledger's batches twice, and few enough that a burst does
 * not delay another account's turn.
 */
export const TURN_GATE = { slots: 128, waitingMax: 8_000 };

export interface Context {
  config: EdgeConfig;
  logger: Logger;
  /** Writes one line per request. Masks nothing: its fields are known, and masking costs more than the rest of the line. */
  requestLog: Logger;
  clock: Clock;
  clients: Clients;
  pool: pg.Pool;
  /** Keys, projects and owners as requests need them. */
  directory: IdentityDirectory;
  customers: CustomerLookup;
  revocations: RevocationList;
  tokens: TokenAuthority;
  oauth: OAuthProviders;
  keyUsage: KeyUsage;
  /** Undefined in an installation that sends no mails. */
  mailer: Mailer | undefined;
  refusals: RefusalLog;
  rateStore: RateStore;
  tierLimits: TierLimits;
  /** Request bodies in memory. */
  bodies: ByteBudget;
  /** Parses large bodies. */
  jsonThread: JsonThread;
  /** Checks the schemas that agents declare, and arguments by them. */
  schemas: SchemaThread;
  turnGate: FairSlots;
  liveViews: LiveViews;
  realtimeSockets: RealtimeSockets;
  backgroundStreams: OpenPlaces;
  /** Estimates the size of requests before admission. The ledger decides whether a model exists. */
  catalog: Catalog;
  /** For requests that spend money. */
  ledger: Ledger;
  requestMetrics: RequestMetrics;
  openStreams: OpenStreams;
  sharedLoop: LoopShare;
  lifecycle: { isDraining: boolean };
  health: Health;
}

const HOLD_ENDINGS_DRAIN_MS = 2_000;

/** Constructs what requests use. */
export async function createContext(parts: Parts<EdgeConfig>): Promise<Context> {
  const { config, logger, clock } = parts;
  const pool = parts.openPool();
  const clients = createClients(parts.network);
  const revocations = new RevocationList(clock);
  await revocations.poll(pool);
  const lifecycle = { isDraining: false };
  parts.health.require(() => (lifecycle.isDraining ? 'draining' : undefined));
  parts.health.require(() => (revocations.isCurrent() ? undefined : 'revocations are out of date'));
  return {
    config,
    logger,
    requestLog: logger.child({}, { redact: [] }),
    clock,
    clients,
    pool,
    directory: new IdentityDirectory(pool, clock),
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
    mailer: await openMailer(config, pool),
    refusals: new RefusalLog(),
    rateStore: await openRateStore(parts),
    tierLimits: new TierLimits(clients.billing, clock, logger),
    bodies: new ByteBudget(config.http.bodyBytesInFlightMax),
    jsonThread: parts.keep(new JsonThread()),
    schemas: parts.keep(new SchemaThread()),
    turnGate: new FairSlots(TURN_GATE),
    liveViews: new LiveViews(),
    realtimeSockets: new RealtimeSockets(config.realtime, parts.metrics),
    backgroundStreams: new OpenPlaces(BACKGROUND_STREAMS),
    catalog: await openCatalog({
      sandbox: true,
      promptOverheadTokens: config.promptOverheadTokens,
      ...(config.modelCatalogFile === undefined ? {} : { overrideFile: config.modelCatalogFile }),
    }),
    ledger: openLedger(parts, clients),
    requestMetrics: new RequestMetrics(parts.metrics),
    openStreams: new Set(),
    sharedLoop: new LoopShare(),
    lifecycle,
    health: parts.health,
  };
}

/** Returns a store that counts in Redis if it is configured, and in memory while Redis is unavailable. */
async function openRateStore({ config, logger, clock, keep, health }: Parts<EdgeConfig>): Promise<RateStore> {
  const memory = new MemoryRateStore(clock);
  if (config.redisUrl === undefined) return memory;
  // The client of Redis is large: it is loaded only where it is used.
  const { InsuredRateStore, RedisRateStore } = await import('./limits/shared-rate-store.js');
  const redis = keep(new RedisRateStore(config.redisUrl, clock, logger));
  redis.start();
  health.watch({ name: 'redis', effect: 'limits count per process', check: () => redis.check() });
  return new InsuredRateStore(redis, memory, clock);
}

async function openMailer({ mail }: EdgeConfig, pool: pg.Pool): Promise<Mailer | undefined> {
  if (mail?.kind !== 'smtp') return mail && new LocalMailbox(pool);
  // The library is large: it is loaded only where it is used.
  const { SmtpMailer } = await import('./clients/mail/smtp-mailer.js');
  return new SmtpMailer(mail);
}

function openLedger({ logger, keep }: Parts<EdgeConfig>, { billing, holds }: Clients): Ledger {
  const ledger = createLedger({ billing, holds, logger });
  keep({ stop: () => ledger.endings.drain(HOLD_ENDINGS_DRAIN_MS) });
  return ledger;
}

function ringLoader(config: EdgeConfig, pool: pg.Pool, clock: Clock) {
  const { privateKeys } = config.tokens;
  if (privateKeys !== undefined) return () => keyRingFromConfig(privateKeys);
  return () => loadStoredKeyRing(pool, config.peppers, clock.now());
}
