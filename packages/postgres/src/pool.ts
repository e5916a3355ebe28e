import pg from 'pg';
import { type ConnectOptions, startupOptions } from './connection-settings.js';
import { resultTypes } from './types.js';

export type { ConnectOptions } from './connection-settings.js';

export interface PoolOptions extends ConnectOptions {
  /** Connections at most. Default 10. */
  max?: number;
  /** Told when an idle connection breaks (server restart, network). The pool replaces it by itself. */
  onIdleError?: (error: Error) => void;
}

/**
 * A connection pool bound to one schema. `bigint` columns arrive as `bigint`. Waiting for a free connection is bounded
 * by `connectTimeoutMs`, so an exhausted pool fails the request instead of queueing it for ever.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName ?? options.schema,
    options: startupOptions(options),
    types: resultTypes,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // Without a listener node would end the process when the server closes an idle connection.
  pool.on('error', (error) => options.onIdleError?.(error));
  return pool;
}
