import { createClient, type DedicatedConnection } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import pg from 'pg';
import type { LogNames } from './log-tables.js';

/** One connection that holds the claims of this process on (group, topic) pairs, and its LISTEN. */
export interface LogSession {
  /** Readers share the connection, so their statements run in sequence. */
  query<Row extends pg.QueryResultRow>(text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  isLost(): boolean;
}

export interface LogSessions {
  /** The open session, or a new one when the last was lost: claims have to be made again on it. */
  current(): Promise<LogSession>;
  stop(): Promise<void>;
}

export interface LogSessionOptions {
  url: string;
  names: LogNames;
  logger: Logger;
  /** Topics with new events; empty when any topic may have new events. */
  onNews: (topics: string[]) => void;
}

export function createLogSessions(options: LogSessionOptions): LogSessions {
  const { names, logger } = options;
  let opening: Promise<LogSession & Pick<DedicatedConnection, 'end'>> | undefined;
  let stopped = false;

  async function open(): Promise<LogSession & Pick<DedicatedConnection, 'end'>> {
    const connection = await createClient({
      url: options.url,
      schema: names.schema,
      applicationName: `${names.schema} consumer`,
      settings: sessionSettings,
    });
    connection.client.on('notification', (message) =>
      options.onNews(message.payload ? message.payload.split(',') : []),
    );
    void connection.lost.then((error) => {
      logger.warn({ err: error }, 'the connection of the event consumers was lost; opening another');
      options.onNews([]);
    });
    await connection.client.query(`LISTEN ${pg.escapeIdentifier(names.schema)}`);
    return { query: inTurn(connection.client), isLost: connection.isLost, end: connection.end };
  }

  return {
    async current() {
      if (stopped) throw new Error('The event transport has stopped');
      if (opening && (await opening.catch(() => undefined))?.isLost() !== false) opening = undefined;
      opening ??= open();
      return await opening;
    },
    async stop() {
      stopped = true;
      await (await opening?.catch(() => undefined))?.end();
    },
  };
}

/** A client that queues statements itself, because future versions of the driver will not. */
function inTurn(client: pg.Client): LogSession['query'] {
  let last: Promise<unknown> = Promise.resolve();
  return (text, values) => {
    const result = last.then(() => client.query(text as string, values));
    last = result.catch(() => undefined);
    return result as never;
  };
}

/** Statements are planned once, while the log may be empty: keep them on the primary key as it grows. */
const sessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  // An offset that is lost in a crash of the server only means that events are delivered again.
  synchronous_commit: 'off',
};
