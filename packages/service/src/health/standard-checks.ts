import type { EventTransport } from '@tollgate/events';
import type { Network } from '@tollgate/rpc';
import type pg from 'pg';
import type { DependencyCheck } from './dependency.js';
import { toReason, Unhealthy } from './reason.js';

const TOO_MANY_CONNECTIONS = '53300';

/** The service's own database. Without it most services cannot serve. */
export function databaseCheck(pool: pg.Pool): DependencyCheck {
  return {
    name: 'database',
    isRequired: true,
    async check() {
      try {
        const { rows } = await pool.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
        if (rows[0]?.transaction_read_only === 'on') throw new Unhealthy('the database is read-only');
        return undefined;
      } catch (error) {
        // The pools of the service may still have their connections.
        if ((error as { code?: unknown }).code === TOO_MANY_CONNECTIONS) return toReason(error);
        throw error;
      }
    },
  };
}

/** Another service: calls to it fail while it is unavailable, everything else works. */
export function peerCheck(name: string, protoPackage: string, network: Network): DependencyCheck {
  return {
    name,
    effect: 'calls to it fail',
    async check() {
      await network.check(protoPackage);
      return undefined;
    },
  };
}

/** Events of a moment wait during every restart of a broker. */
const OUTBOX_AGE_SECONDS_MAX = 30;

/** The service's own events: a broker may answer and still take none of them, as without a topic. */
export function outboxCheck(readOldestSeconds: () => Promise<number>): DependencyCheck {
  return {
    name: 'outbox',
    effect: 'webhooks and reports are late',
    async check() {
      const seconds = Math.floor(await readOldestSeconds());
      return seconds > OUTBOX_AGE_SECONDS_MAX ? `events have waited for ${seconds} s` : undefined;
    },
  };
}

/** Kafka, or the log in PostgreSQL. */
export function eventsCheck(name: 'kafka' | 'events', openTransport: () => Promise<EventTransport>): DependencyCheck {
  return {
    name,
    effect: 'events wait in the outbox',
    async check() {
      await (await openTransport()).check();
      return undefined;
    },
  };
}
