import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { createLogger, elapsed, newOrderedId, type Stoppable, stopAll } from '@tollgate/runtime';
import type { OutboxEvent, ReceivedEvent } from '../event.js';
import { appendEvents } from '../outbox.js';
import { createRelay, type Relay, type RelayOptions } from '../relay.js';
import { CONSUMED_EVENTS_SQL, OUTBOX_SQL } from '../tables.js';
import type { EventTransport, Subscription } from '../transport.js';

/** Creates a transport that shares all storage with the others of the suite, as another process would. */
export type TransportFactory = () => EventTransport;

export const testLogger = createLogger('conformance', (process.env.TEST_LOG_LEVEL as 'warn' | undefined) ?? 'silent');

/** Harness of one test: a producing service's database and everything that was started, stopped at the end. */
export interface Harness {
  database: TestDatabase;
  /** A topic for this test only. */
  topic: string;
  transport(): Promise<EventTransport>;
  relay(transport: EventTransport, options?: Partial<RelayOptions>): Relay;
  /** A consumer that collects events; its group's name is unique to this harness. */
  collect(transport: EventTransport, group: string, options?: Partial<Collecting>): Promise<Collector>;
  groupName(group: string): string;
  append(...events: OutboxEvent[]): Promise<void>;
  event(key: string, payload?: string): OutboxEvent;
  end(): Promise<void>;
}

export type Collecting = Omit<Subscription, 'group' | 'batchHandler'> & {
  handler: (event: ReceivedEvent) => Promise<void>;
};

export interface Collector extends Stoppable {
  events: ReceivedEvent[];
  /** Payloads as text, in the order of arrival, without repeats. */
  firstSeen(): string[];
}

export async function createHarness(newTransport: TransportFactory): Promise<Harness> {
  const database = await testDatabase('events conformance');
  await database.pool.query(OUTBOX_SQL + CONSUMED_EVENTS_SQL);
  const suffix = randomUUID().slice(0, 8);
  const topic = `test.${suffix}.v1`;
  const started: Stoppable[] = [];
  const groupName = (group: string) => `${group}-${suffix}`;

  return {
    database,
    topic,
    groupName,
    async transport() {
      const transport = newTransport();
      started.push(transport);
      await transport.start();
      return transport;
    },
    relay(transport, options = {}) {
      const { pool, schema } = database;
      // Without the periodic read of the whole outbox, which would hide a row that the floor skipped by mistake.
      const timing = { pollMs: 50, spacingMs: 5, sweepMs: 3_600_000 };
      const base = { pool, schema, source: '/tollgate/test', transport, logger: testLogger };
      const relay = createRelay({ ...base, ...timing, ...options });
      started.push(relay);
      return relay;
    },
    async collect(transport, group, options = {}) {
      const events: ReceivedEvent[] = [];
      const handler = async (event: ReceivedEvent) => {
        await options.handler?.(event);
        events.push(event);
      };
      const base = { topics: [topic], retryDelayMs: 5, retryDelayMaxMs: 20, attemptsMax: 3 };
      const running = await transport.subscribe({ ...base, ...options, group: groupName(group), handler });
      return { events, firstSeen: () => [...new Set(events.map(readPayload))], stop: () => running.stop() };
    },
    append: (...events) => withTransaction(database.pool, (tx) => appendEvents(tx, events)),
    event: (key, payload = key) => ({
      id: newOrderedId(),
      topic,
      key,
      type: 'thing.happened',
      payload: Buffer.from(payload),
      occurredAt: new Date('2025-03-04T05:06:07.089Z'),
    }),
    async end() {
      await stopAll(...started);
      await database.drop();
    },
  };
}

export function readPayload(event: Pick<ReceivedEvent, 'payload'>): string {
  return Buffer.from(event.payload).toString();
}

/** Waits for a condition. @throws Error naming the condition when it is not met in time */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = elapsed() + timeoutMs;
  while (!(await condition())) {
    if (elapsed() > deadline) throw new Error(`timed out after ${timeoutMs} ms waiting until ${what}`);
    await sleep(10);
  }
}
