import { observeQueue } from '@tollgate/metrics';
import { QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import { type Clock, type Logger, ReadCache } from '@tollgate/runtime';
import type { Keyring } from '@tollgate/runtime/secret-box';
import type { Parts } from '@tollgate/service';
import { SchemaThread } from '@tollgate/tools/schema-thread';
import type pg from 'pg';
import { createEndpointClient, type EndpointClient, type NameOptions } from './clients/endpoint-client.js';
import { createHookClient, type HookClient } from './clients/hook-client.js';
import { createMcpClient, type McpClient } from './clients/mcp-client.js';
import type { McpReply } from './clients/mcp-failure.js';
import { createMcpOAuth, type McpOAuth } from './clients/mcp-oauth.js';
import type { Config } from './config.js';
import type { EndpointRules } from './domain/endpoint-rules.js';
import type { Listing } from './domain/mcp/offered-tools.js';
import { createDeliveryMetrics, type DeliveryMetrics, QUEUE } from './metrics.js';
import { readDueDeliveries } from './store/delivery-queues.js';

export interface Context {
  logger: Logger;
  clock: Clock;
  pool: pg.Pool;
  /** For statements on the delivery queue; see QUEUE_SESSION_SETTINGS. */
  queuePool: pg.Pool;
  endpoints: EndpointClient;
  hooks: HookClient;
  mcp: McpClient;
  mcpOAuth: McpOAuth;
  schemas: SchemaThread;
  /** Shares the listings of a server that start while one is in progress: the steps of a run often start together. */
  listings: ReadCache<McpReply<Listing>>;
  keyring: Keyring;
  endpointRules: EndpointRules;
  limits: Config['limits'];
  metrics: DeliveryMetrics;
  /** Wakes the delivery worker of this process after deliveries were queued. */
  wakeDeliveries(): void;
  onWakeDeliveries(wake: () => void): void;
}

/** Constructs what the operations use. `names` replaces the resolution of endpoints' host names in tests. */
export function createContext(parts: Parts<Config>, names?: NameOptions): Context {
  const { config, logger, clock, keep } = parts;
  const pool = parts.openPool();
  const queuePool = parts.openPool({ max: config.queuePoolMax, settings: QUEUE_SESSION_SETTINGS });
  const { concurrency } = config.limits;
  const allowPrivate = config.allowPrivateEndpoints;
  let wake = () => {};
  observeQueue(parts.metrics, QUEUE, () => readDueDeliveries(queuePool));
  return {
    logger,
    clock,
    pool,
    queuePool,
    endpoints: keep(createEndpointClient({ allowPrivate, concurrency, names })),
    hooks: keep(createHookClient({ allowPrivate, names })),
    mcp: keep(createMcpClient({ allowPrivate, names })),
    mcpOAuth: keep(createMcpOAuth({ allowPrivate, names })),
    schemas: keep(new SchemaThread()),
    listings: new ReadCache({ sizeMax: 1, staleMs: 0 }),
    keyring: config.keyring,
    endpointRules: { allowPrivate },
    limits: config.limits,
    metrics: createDeliveryMetrics(parts.metrics),
    wakeDeliveries: () => wake(),
    onWakeDeliveries(next) {
      wake = next;
    },
  };
}
