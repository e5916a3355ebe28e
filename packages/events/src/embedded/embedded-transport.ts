import { createPool } from '@tollgate/postgres';
import { createLoop, type Logger, type Loop, type Stoppable } from '@tollgate/runtime';
import type pg from 'pg';
import type { EventTransport, OutboxLocation, OutboxMover, Subscription } from '../transport.js';
import { advanceMark, readKept } from './log-kept.js';
import { readLag } from './log-lag.js';
import { createLogReader, type LogReader } from './log-reader.js';
import { removeOldEvents } from './log-retention.js';
import { createLogSessions } from './log-session.js';
import { createTablesSql, type LogNames, logNames } from './log-tables.js';
import { appendToLog, openMover } from './log-writer.js';

export interface EmbeddedTransportOptions {
  /** The database that all services share. */
  url: string;
  logger: Logger;
  /** Schema of the log. Default `tollgate_events`; transports with the same schema share all events. */
  schema?: string;
  /** How often readers poll without a notification, which only a killed publisher leaves out. Default 5 s. */
  pollMs?: number;
  /** Minimum time between two reads: combines notifications. Default 20 ms. */
  spacingMs?: number;
  /** How long events are kept after every group has read them. Default 24 h. */
  retentionMs?: number;
}

/**
 * Events without Kafka: a log in PostgreSQL with consumer groups and offsets. Any number of processes on one database
 * work together; relays of outboxes in the same database move rows into the log by one statement.
 */
export function createEmbeddedTransport(options: EmbeddedTransportOptions): EventTransport {
  const { logger, pollMs = 5000, spacingMs = 20, retentionMs = 86_400_000 } = options;
  const names = logNames(options.schema ?? 'tollgate_events');
  const pool = createPool({ url: options.url, schema: names.schema, max: 2 });
  const readers = new Map<string, { topic: string; reader: LogReader }>();
  let retention: Loop | undefined;

  const sessions = createLogSessions({
    url: options.url,
    names,
    logger,
    onNews(topics) {
      for (const { topic, reader } of readers.values())
        if (topics.length === 0 || topics.includes(topic)) reader.wake();
    },
  });

  function openReader(subscription: Subscription, topic: string): string {
    // A session lock does not exclude its own session.
    const key = `${subscription.group} ${topic}`;
    if (readers.has(key))
      throw new Error(`This transport already has a subscription of ${subscription.group} to ${topic}`);
    const publishDeadLetter = transport.publish;
    const reader = createLogReader({
      sessions,
      names,
      subscription,
      topic,
      publishDeadLetter: (event) => publishDeadLetter([event]),
      logger,
      pollMs,
      spacingMs,
    });
    readers.set(key, { topic, reader });
    return key;
  }

  async function closeReaders(keys: readonly string[]): Promise<void> {
    const closing = keys.flatMap((key) => readers.get(key)?.reader ?? []);
    await Promise.all(closing.map((reader) => reader.stop()));
    for (const key of keys) readers.delete(key);
  }

  const transport: EventTransport = {
    async start() {
      await pool.query(createTablesSql(names));
      const sweep = async () => (await removeOldEvents(pool, names, retentionMs, sweepMax)) === sweepMax;
      retention = createLoop({ name: `${names.schema} retention`, intervalMs: 60_000, run: sweep, logger });
    },
    async publish(events) {
      if (events.length > 0) await appendToLog(pool, names, events);
    },
    async subscribe(subscription): Promise<Stoppable> {
      const keys = subscription.topics.map((topic) => openReader(subscription, topic));
      return { stop: () => closeReaders(keys) };
    },
    async openMover(outbox: OutboxLocation): Promise<OutboxMover | undefined> {
      return (await isSameDatabase(outbox.pool, pool, names)) ? await openMover(outbox, names) : undefined;
    },
    readLag: (group, topics) => readLag(pool, names, group, topics),
    check: async () => void (await pool.query('SELECT 1')),
    readKept: (query) => readKept(pool, names, query),
    advanceMark: (group, events) => advanceMark(pool, names, group, events),
    async stop() {
      await closeReaders([...readers.keys()]);
      await retention?.stop();
      await sessions.stop();
      await pool.end();
    },
  };
  return transport;
}

/** Returns whether the outbox's connections see this log, and not a log of the same name in another database. */
async function isSameDatabase(outbox: pg.Pool, own: pg.Pool, names: LogNames): Promise<boolean> {
  const sql = `SELECT id FROM ${names.instance}`;
  const [theirs, ours] = await Promise.all([outbox.query(sql).catch(notVisible), own.query(sql)]);
  return theirs !== undefined && theirs.rows[0]?.id === ours.rows[0]?.id;
}

function notVisible(error: unknown): undefined {
  const code = (error as { code?: string }).code;
  // undefined_table, invalid_schema_name, insufficient_privilege
  if (code === '42P01' || code === '3F000' || code === '42501') return undefined;
  throw error;
}

const sweepMax = 5000;
