import type { Queryable, Tx, Visit } from '@tollgate/postgres';
import { type ClaimBounds, type ClaimedRow, claimFrom, type LeaseHolder, type RequestSql } from './claim-requests.js';

/** The state of a request, as its claim has read it. */
export interface ClaimedRequest {
  epoch: number;
  principal: Uint8Array;
  traceparent: string | undefined;
  /** Size of the request, which is read when it runs. */
  bytes: number;
  attempt: number;
  /** An earlier attempt whose outcome is unknown. */
  supersededAttempt: number | undefined;
  lost: number;
  tries: number;
  /** How often it has waited in a row because a service was unavailable. */
  waits: number;
}

/**
 * How a request is run again.
 * - `same`: its attempt was not sent, and continues under its hold.
 * - `lost`: the outcome of its attempt is unknown; the next one supersedes it.
 * - `next`: its attempt has ended without an answer; the next one is independent.
 * - `recorded`: `lost` if the row says that the attempt was dispatched, otherwise `same`.
 */
export type NextRun = 'same' | 'lost' | 'next' | 'recorded';

export interface PutBack {
  delayMs: number;
  next: NextRun;
  /** `wait`: a service was unavailable. `try`: the attempt failed; their number is limited. */
  counts: 'try' | 'wait' | 'nothing';
}

/** A table of requests that wait for a process, and its items. */
export interface RequestTable<Row, Item> extends RequestSql {
  /** Returns the values of the key. */
  toKey(item: Item): readonly (string | number)[];
  toItem(row: Row, request: ClaimedRequest): Item & ClaimedRequest;
}

type Leased<Item> = Item & { epoch: number };

/** The requests of one table. Statements of a request that was leased change nothing when the lease was lost. */
export interface RequestStore<Item> {
  /** Leases requests to a process, within the bounds, of the next accounts after `after`. */
  claim(
    tx: Tx,
    lease: LeaseHolder,
    bounds: ClaimBounds,
    after: string,
  ): Promise<Visit & { items: (Item & ClaimedRequest)[] }>;
  /** Extends leases and returns the keys of the requests that are still held. */
  extend(db: Queryable, lease: LeaseHolder, held: readonly Leased<Item>[]): Promise<Set<string>>;
  /** Returns the JSON of a leased request; undefined when the lease was lost. */
  readBody(db: Queryable, item: Leased<Item>): Promise<string | undefined>;
  /** Records that the provider may serve the attempt from now on. Returns false when the lease was lost. */
  markDispatched(db: Queryable, item: Leased<Item>): Promise<boolean>;
  /** Returns a request to the queue. */
  putBack(db: Queryable, item: Leased<Item>, how: PutBack): Promise<void>;
  /** Returns the key of a request as text. */
  toKey(item: Item): string;
}

export function createRequestStore<Row, Item>(table: RequestTable<Row, Item>): RequestStore<Item> {
  const { name, key, dispatched } = table;
  const claimRows = claimFrom<Row>(table);
  /** SQL for the held request, whose key and epoch are the first parameters. */
  const held = [...key.map(({ column }, i) => `${column} = $${i + 1}`), `lease_epoch = $${key.length + 1}`].join(
    ' AND ',
  );
  const isHeld = `${held} AND lease_owner IS NOT NULL`;
  /** Returns the `n`th parameter after those. */
  const param = (n: number) => `$${key.length + 1 + n}`;
  const toValues = (item: Leased<Item>) => [...table.toKey(item), item.epoch];
  return {
    async claim(tx, lease, bounds, after) {
      const { rows, ...visit } = await claimRows(tx, lease, bounds, after);
      return { ...visit, items: rows.map((row) => table.toItem(row, toRequest(row))) };
    },
    async extend(db, { owner, leaseMs }, items) {
      const types = [...key.map(({ type }) => type), 'int'];
      const columns = [...key.map(({ column }) => column), 'epoch'];
      const rows = items.map(toValues);
      const result = await db.query<{ key: string }>({
        name: `${name}.heartbeat`,
        text: `
          UPDATE ${name} r SET lease_until = now() + $2 * interval '1 ms'
          FROM unnest(${types.map((type, i) => `$${i + 3}::${type}[]`).join(', ')}) AS h (${columns.join(', ')})
          WHERE ${key.map(({ column }) => `r.${column} = h.${column}`).join(' AND ')}
            AND r.lease_epoch = h.epoch AND r.lease_owner = $1
          RETURNING concat_ws('/', ${key.map(({ column }) => `r.${column}`).join(', ')}) AS key`,
        values: [owner, leaseMs, ...types.map((_type, i) => rows.map((row) => row[i]))],
      });
      return new Set(result.rows.map((row) => row.key));
    },
    async readBody(db, item) {
      const text = `SELECT body FROM ${name} WHERE ${isHeld}`;
      const values = toValues(item);
      const result = await db.query<{ body: string | null }>({ name: `${name}.body`, text, values });
      return result.rows[0]?.body ?? undefined;
    },
    async markDispatched(db, item) {
      const text = `UPDATE ${name} SET is_dispatched = true${dispatched ? `, ${dispatched}` : ''} WHERE ${isHeld}`;
      const result = await db.query({ name: `${name}.dispatch`, text, values: toValues(item) });
      return result.rowCount === 1;
    },
    async putBack(db, item, { delayMs, next, counts }) {
      const [delay, run, count] = [param(1), param(2), param(3)];
      await db.query({
        name: `${name}.put_back`,
        text: `
          UPDATE ${name}
          SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + ${delay} * interval '1 ms',
              is_dispatched = (${run} = 'lost' OR (${run} = 'recorded' AND is_dispatched)),
              attempt = attempt + (${run} = 'next')::int, tries = tries + (${count} = 'try')::int,
              waits = CASE ${count} WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
          WHERE ${isHeld}`,
        values: [...toValues(item), delayMs, next, counts],
      });
    },
    toKey: (item) => table.toKey(item).join('/'),
  };
}

function toRequest(row: ClaimedRow): ClaimedRequest {
  return {
    epoch: row.lease_epoch,
    principal: row.principal,
    traceparent: row.traceparent ?? undefined,
    bytes: row.bytes,
    attempt: row.attempt,
    supersededAttempt: row.superseded_attempt ?? undefined,
    lost: row.lost,
    tries: row.tries,
    waits: row.waits,
  };
}
