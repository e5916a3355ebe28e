import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import { elapsed } from '@tollgate/runtime';
import { claimRelayLease } from './store/gen/outbox.js';

/** The right to publish an outbox: one holder at a time, on the database's clock. */
export interface RelayLease {
  holder: string;
  /** Grows whenever the lease changes hands. */
  epoch(): bigint;
  /** Claims or extends the lease when it is due; false while another process holds it. */
  hold(): Promise<boolean>;
  /** Forgets the known state, so that the next `hold` queries the database. */
  forget(): void;
  /** Releases the lease, so that another replica need not wait until it expires. */
  release(): Promise<void>;
}

export function createRelayLease(db: Queryable, leaseMs: number, name = 'relay'): RelayLease {
  const holder = randomUUID();
  let epoch = 0n;
  let renewAt = 0;

  return {
    holder,
    epoch: () => epoch,
    async hold() {
      // Measured from before the request: the local expiry is never later than the database's.
      const askedAt = elapsed();
      if (askedAt < renewAt) return true;
      const row = await claimRelayLease(db, { name, holder, leaseMs });
      renewAt = row ? askedAt + leaseMs / 2 : 0;
      if (row) epoch = row.epoch;
      return row !== undefined;
    },
    forget() {
      renewAt = 0;
    },
    async release() {
      renewAt = 0;
      await db.query('UPDATE outbox_lease SET expires_at = clock_timestamp() WHERE name = $1 AND holder = $2', [
        name,
        holder,
      ]);
    },
  };
}
