import type { Metrics } from '@tollgate/metrics';
import type { Stoppable } from '@tollgate/runtime';
import type pg from 'pg';
import type { EventRecord, ReceivedEvent } from './event.js';
import type { OutboxFloor } from './outbox-floor.js';

/** Carries events from outboxes to consumer groups. Kafka and the embedded transport give the same guarantees. */
export interface EventTransport extends Stoppable {
  /** Call it once, before anything else. A transport on remote servers does not wait for them. */
  start(): Promise<void>;
  /**
   * Resolves when every event is durable at the transport; rejects when any may not be. Events with the same key keep
   * their order. Publishing an event again is allowed: consumers see the id twice.
   */
  publish(events: readonly EventRecord[]): Promise<void>;
  /** Starts consuming. `stop` of the result stops this subscription only. A new group starts at the oldest event kept. */
  subscribe(subscription: Subscription): Promise<Stoppable>;
  /**
   * Returns a mover for an outbox in the transport's own database: one statement moves rows, which do not pass through the
   * process. Undefined for an outbox in another database.
   */
  openMover?(outbox: OutboxLocation): Promise<OutboxMover | undefined>;
  /** Resolves while events can be sent. Callers at the same time share one request. @throws while they cannot */
  check(): Promise<void>;
  /** Returns how many events of each topic the group has not handled yet. Bounded work, for metrics. */
  readLag(group: string, topics: readonly string[]): Promise<TopicLag[]>;
  /** Reads events that the transport keeps, oldest first per partition, without consuming them. For tools. */
  readKept(query: KeptQuery): Promise<ReceivedEvent[]>;
  /** Moves the mark of `group` past these events, which `readKept` has returned. The mark never moves back. */
  advanceMark(group: string, events: readonly ReceivedEvent[]): Promise<void>;
  /** Stops all subscriptions and closes connections. */
  stop(): Promise<void>;
}

export interface TopicLag {
  topic: string;
  events: number;
}

export interface KeptQuery {
  topic: string;
  /** Skips events that this group's mark has passed. It must not be the group of a subscription. */
  group?: string | undefined;
  limit: number;
  signal: AbortSignal;
}

export interface OutboxLocation {
  pool: pg.Pool;
  schema: string;
  source: string;
  floor: OutboxFloor;
}

/** Moves up to `limit` committed events to the transport and returns how many. */
export type OutboxMover = (limit: number) => Promise<number>;

interface SubscriptionBase {
  /** Members of a group share the events; every group gets all of them. */
  group: string;
  topics: readonly string[];
  /** Events handled at the same time, never two of the same key. Default 1. Only with `handler`. */
  concurrency?: number;
  /** Most events in one batch. Default 200. */
  batchMax?: number;
  /** Failures after which an event is sent to the dead-letter topic. Default 5. */
  attemptsMax?: number;
  /** First pause after a failure; doubles up to `retryDelayMaxMs`. Default 100. */
  retryDelayMs?: number;
  /** Default 10 000. */
  retryDelayMaxMs?: number;
  /**
   * Returns whether an unavailable dependency caused the failure. Such failures are retried without a limit and never
   * send an event to the dead-letter topic. Default: {@link isTransientError}.
   */
  isTransient?: (error: unknown) => boolean;
  /** Counts handled events and dead letters. */
  metrics?: Metrics | undefined;
}

/**
 * A consumer. The handler resolves when the effect is committed; only then is the event acknowledged. It may see an
 * event again: make the effect idempotent with `consumeOnce`. A batch handler that fails gets its events one by one, so
 * that the failing one is found.
 */
export type Subscription = SubscriptionBase &
  (
    | { handler: (event: ReceivedEvent) => Promise<void>; batchHandler?: never }
    | { batchHandler: (events: readonly ReceivedEvent[]) => Promise<void>; handler?: never }
  );
