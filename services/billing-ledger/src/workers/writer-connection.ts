import { createClient, type DedicatedConnection } from '@tollgate/postgres';
import type pg from 'pg';

/**
 * Plans of the ledger's statements are made once, often on empty tables; these settings keep them on the indexes
 * whatever the statistics said at that moment.
 */
const SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** What the server says when it ends a connection: the end itself is noticed only after that. */
const LAST_WORDS = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

/** The lane's own connection, opened again after a loss. */
export class WriterConnection {
  readonly #options: { url: string; schema: string };
  #connection: Promise<DedicatedConnection> | undefined;

  constructor(options: { url: string; schema: string }) {
    this.#options = options;
  }

  async client(): Promise<pg.Client> {
    this.#connection ??= createClient({ ...this.#options, applicationName: 'billing-ledger lane', settings: SETTINGS });
    try {
      const connection = await this.#connection;
      if (!connection.isLost()) return connection.client;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
    this.#connection = undefined;
    return this.client();
  }

  /** True when the error came with the loss of the connection: what was sent may or may not have been committed. */
  async isLost(error: unknown): Promise<boolean> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection === undefined || connection.isLost()) return true;
    if (!LAST_WORDS.has((error as { code?: string }).code ?? '')) return false;
    this.#connection = undefined;
    await connection.end();
    return true;
  }

  async end(): Promise<void> {
    await (await this.#connection?.catch(() => undefined))?.end();
  }
}
