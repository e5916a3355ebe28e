import pg from 'pg';
import { BoundedClient, type BoundedClientConfig } from './bounded-client.js';
import { type ConnectOptions, toClientConfig } from './connection-settings.js';

export type { ConnectOptions } from './connection-settings.js';

/** A pool of connections, as `createPool` makes it. Code outside `store/` only passes it on. */
export type Pool = pg.Pool;

export interface PoolOptions extends ConnectOptions {
  /** Greatest number of connections. Default 10. */
  max?: number;
  /** Called when an idle connection is lost (server restart, network). The pool replaces it. */
  onIdleError?: (error: Error) => void;
}

/**
 * Creates a connection pool for one schema. `bigint` columns arrive as `bigint`. `connectTimeoutMs` limits the wait for a
 * free connection, so an exhausted pool fails the request instead of queueing it forever.
 */
export function createPool(options: PoolOptions): Pool {
  const config: pg.PoolConfig & BoundedClientConfig = {
    // The pool passes its whole configuration to the client's constructor; in the driver's types it passes nothing.
    Client: BoundedClient as unknown as new () => pg.Client,
    ...toClientConfig(options),
    max: options.max ?? 10,
    idleTimeoutMillis: 60_000,
  };
  const pool = new pg.Pool(config);
  // Without a listener node would end the process when the server closes an idle connection.
  pool.on('error', (error) => options.onIdleError?.(error));
  return pool;
}
