import type pg from 'pg';
import { BoundedClient } from './bounded-client.js';
import { type ConnectOptions, toClientConfig } from './connection-settings.js';

/** One connection outside of every pool: for LISTEN, session locks, or a writer with its own settings. */
export interface DedicatedConnection {
  /** The connection itself. Use `client.query({ name, text, values })` for prepared statements. */
  client: pg.Client;
  /** True once the server or the network ended the connection. */
  isLost(): boolean;
  /** Resolves with the cause when the connection is lost; never resolves after `end()`. */
  lost: Promise<Error>;
  /** Closes the connection; safe to call twice and after a loss. */
  end(): Promise<void>;
}

/**
 * Opens one dedicated connection. It does not reconnect by itself: prepared statements, locks and LISTEN registrations
 * are lost with it, so its owner must open another one and repeat them (see `lost`).
 */
export async function createClient(options: ConnectOptions): Promise<DedicatedConnection> {
  const client = new BoundedClient(toClientConfig(options));
  let ending = false;
  let cause: Error | undefined;
  const lost = new Promise<Error>((resolve) => {
    const onLoss = (error: Error) => {
      if (ending || cause) return;
      cause = error;
      resolve(error);
    };
    client.on('error', onLoss);
    client.on('end', () => onLoss(new Error('the PostgreSQL connection was closed')));
  });
  try {
    await client.connect();
  } catch (error) {
    ending = true;
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    client,
    lost,
    isLost: () => cause !== undefined,
    async end() {
      if (ending) return;
      ending = true;
      await client.end().catch(() => undefined);
    },
  };
}
