import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { deliver } from '../deliver.js';
import type { EventRecord, ReceivedEvent } from '../event.js';
import type { Subscription } from '../transport.js';
import type { LogSession, LogSessions } from './log-session.js';
import type { LogNames } from './log-tables.js';

export interface LogReaderOptions {
  sessions: LogSessions;
  names: LogNames;
  subscription: Subscription;
  topic: string;
  publishDeadLetter: (event: EventRecord) => Promise<void>;
  logger: Logger;
  pollMs: number;
  spacingMs: number;
}

export interface LogReader {
  wake: Loop['wake'];
  /** Stops after the current events and releases the topic for other processes. */
  stop(): Promise<void>;
}

const CLAIM_POLL_MS = 1_000;

/** The claim of this process: while its session exists, no other process reads this topic for this group. */
interface Claim {
  session: LogSession;
  position: bigint;
}

/**
 * Reads one topic for one group, starting at the group's stored position. The claim is a session lock of the server,
 * which ends with the process or its connection: another process continues from the stored position.
 */
export function createLogReader(options: LogReaderOptions): LogReader {
  const { sessions, names, subscription, topic, logger } = options;
  const { group, batchMax = 200 } = subscription;
  const sql = statements(names);
  let claim: Claim | undefined;

  async function claimTopic(session: LogSession): Promise<Claim | undefined> {
    const lock = await session.query<{ locked: boolean }>(sql.lock, [lockName(names, group, topic)]);
    if (!lock.rows[0]?.locked) return undefined;
    const { rows } = await session.query<{ position: bigint }>(sql.openOffset, [group, topic]);
    return { session, position: rows[0]!.position };
  }

  async function pass(signal: AbortSignal): Promise<boolean> {
    const session = await sessions.current();
    if (claim?.session !== session) claim = await claimTopic(session);
    if (!claim) return false;
    const held = claim;
    const { rows } = await session.query<LogRow>({
      name: 'log.read',
      text: sql.read,
      values: [topic, held.position, batchMax],
    });
    if (rows.length === 0) return false;
    const { publishDeadLetter } = options;
    const finished = await deliver(rows.map(toEvent), { subscription, publishDeadLetter, logger, signal });
    if (finished > 0) await advance(held, rows[finished - 1]!.position);
    return rows.length === batchMax;
  }

  /** Compare and set: a reader that lost the claim while its handler ran must not move the position of the new reader. */
  async function advance(held: Claim, position: bigint): Promise<void> {
    const values = [position, group, topic, held.position];
    const result = await held.session.query({ name: 'log.advance', text: sql.advance, values });
    if (result.rowCount === 1) {
      held.position = position;
      return;
    }
    claim = undefined;
    logger.warn({ group, topic }, 'another process reads this topic; the last events will be delivered again');
  }

  const loop = createLoop({
    name: `${group} reading ${topic}`,
    // Nothing announces that another process has released the topic.
    intervalMs: () => (claim ? options.pollMs : Math.min(options.pollMs, CLAIM_POLL_MS)),
    spacingMs: options.spacingMs,
    run: pass,
    logger,
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      if (claim && !claim.session.isLost()) {
        await claim.session.query(sql.unlock, [lockName(names, group, topic)]).catch(() => undefined);
      }
      claim = undefined;
    },
  };
}

/** A row of the log. */
export interface LogRow {
  position: bigint;
  id: string;
  source: string;
  topic: string;
  key: string;
  type: string;
  payload: Buffer;
  occurred_at: Date;
  request_id: string | null;
  traceparent: string | null;
  headers: Record<string, string> | null;
}

export function toEvent(row: LogRow): ReceivedEvent {
  return {
    id: row.id,
    source: row.source,
    topic: row.topic,
    key: row.key,
    type: row.type,
    payload: row.payload,
    occurredAt: row.occurred_at,
    requestId: row.request_id ?? undefined,
    traceparent: row.traceparent ?? undefined,
    headers: row.headers ?? {},
    position: `0:${row.position}`,
  };
}

function lockName(names: LogNames, group: string, topic: string): string {
  return `${names.schema}\u0000reader\u0000${group}\u0000${topic}`.replaceAll('\u0000', '|');
}

function statements(names: LogNames) {
  return {
    lock: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
    unlock: 'SELECT pg_advisory_unlock(hashtextextended($1, 0))',
    openOffset: `INSERT INTO ${names.offsets} AS stored (consumer_group, topic, position) VALUES ($1, $2, 0)
                 ON CONFLICT (consumer_group, topic) DO UPDATE SET updated_at = now() RETURNING stored.position`,
    read: `SELECT position, id, source, topic, key, type, payload, occurred_at, request_id, traceparent, headers
           FROM ${names.log} WHERE topic = $1 AND position > $2 ORDER BY position LIMIT $3`,
    advance: `UPDATE ${names.offsets} SET position = $1, updated_at = now()
              WHERE consumer_group = $2 AND topic = $3 AND position = $4`,
  };
}
