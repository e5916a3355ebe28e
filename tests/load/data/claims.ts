// Claims of the four queues beside a backlog of one caller, and how long the first item of another caller waits behind it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { leasedDeliveries } from '@tollgate/hooks-webhooks/leased-deliveries';
import { createPool, migrate, type Pool, QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import { elapsed, type LeasePool } from '@tollgate/runtime';
import { leasedQueues } from '@tollgate/workflow-engine/leased-queues';
import { percentile } from '../http-load.js';
import { ms, table } from '../table.js';

const SIZES = [100, 100_000] as const;
/** Each of another caller, while the backlog is worked off. */
const FIRST_ITEMS = 25;
/** How long an item takes. */
const ITEM_MS = 20;
const WAIT_MS = 60_000;
const TIMING = { drainMs: 5_000, leaseMs: 30_000, heartbeatMs: 5_000, pollMs: 1_000 };

interface Queue {
  name: string;
  table: string;
  insert: string;
  open(pool: Pool, options: Options): Pick<LeasePool<never>, 'start' | 'stop' | 'wake'>;
}

type Options = typeof TIMING & { run: (signal: AbortSignal, callerId: string) => Promise<void> };

interface Measured {
  claimMs: number;
  delays: number[];
}

const SERVICES: { schema: string; queues: readonly Queue[] }[] = [
  { schema: 'workflow-engine', queues: leasedQueues },
  { schema: 'hooks-webhooks', queues: [leasedDeliveries] },
];

/** Returns a table of the claims and delays of each queue, with the ratios of the long backlog to the short one. */
export async function claimTable(url: string, say: (line: string) => void): Promise<string> {
  const lines: string[] = [];
  for (const { schema, queues } of SERVICES) {
    const directory = fileURLToPath(new URL(`../../../services/${schema}/prisma/migrations`, import.meta.url));
    const database = { url, schema: `claims_${schema.replaceAll('-', '_')}` };
    await migrate({ ...database, directory });
    const pool = createPool({ ...database, max: 8, settings: QUEUE_SESSION_SETTINGS });
    for (const queue of queues) {
      const measured: Measured[] = [];
      for (const size of SIZES) {
        say(`  ${queue.name}, ${size} rows`);
        measured.push(await measure(pool, queue, size));
      }
      lines.push(...SIZES.map((size, i) => toLine(queue.name, size, measured[i]!)));
      lines.push(`${queue.name} | × | ${(measured[1]!.claimMs / measured[0]!.claimMs).toFixed(1)} | |`);
    }
    await pool.end();
  }
  return table('queue | rows | claim, p50 | first item of another caller, p50 | at most', lines);
}

function toLine(name: string, size: number, { claimMs, delays }: Measured): string {
  return [name, size, ms(claimMs), ms(percentile(delays, 0.5)), ms(Math.max(...delays))].join(' | ');
}

async function measure(pool: Pool, queue: Queue, size: number): Promise<Measured> {
  const busy = randomUUID();
  await pool.query(queue.insert, [busy, size]);
  const { rows } = await pool.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  for (const { name } of rows) await pool.query(`VACUUM (ANALYZE) "${name}"`);
  const started = new Map<string, () => void>();
  const claims: number[] = [];
  const leases = queue.open(timed(pool, claims), {
    ...TIMING,
    async run(_signal, caller) {
      started.get(caller)?.();
      await sleep(ITEM_MS);
    },
  });
  leases.start();
  const delays: number[] = [];
  for (let i = 0; i < FIRST_ITEMS; i++) {
    // The short backlog must last, too.
    if (size < 1_000) await pool.query(queue.insert, [busy, 20]);
    await sleep(2 * ITEM_MS);
    const caller = randomUUID();
    const isStarted = new Promise<void>((resolve) => started.set(caller, resolve));
    await pool.query(queue.insert, [caller, 1]);
    const queuedAt = elapsed();
    leases.wake();
    await Promise.race([isStarted, sleep(WAIT_MS, undefined, { ref: false })]);
    delays.push(elapsed() - queuedAt);
  }
  await leases.stop();
  await pool.query(`TRUNCATE ${rows.map(({ name }) => `"${name}"`).join(', ')} CASCADE`);
  return { claimMs: percentile(claims, 0.5), delays };
}

/** The last statement of a claim, and those before it. */
const LAST = new Set(['claim_work', 'lease_lines', 'lease_background', 'lease_queue_heads']);
const BEFORE = /^visit_|^find_due_|\.visit$|_demands$/;

/** Returns the pool with a clock on its claims. */
function timed(pool: Pool, claims: number[]): Pool {
  const watch = <T extends { query: Pool['query'] }>(client: T): T => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    let spentMs = 0;
    const timedQuery = async (...args: unknown[]) => {
      const name = (args[0] as { name?: string })?.name ?? '';
      const startedAt = elapsed();
      const result = await query(...args);
      if (LAST.has(name) || BEFORE.test(name)) spentMs += elapsed() - startedAt;
      if (LAST.has(name)) {
        claims.push(spentMs);
        spentMs = 0;
      }
      return result;
    };
    return new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') return timedQuery;
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  return new Proxy(pool, {
    get: (target, key) => {
      if (key === 'query') return watch(target).query;
      if (key === 'connect') return async () => watch(await target.connect());
      const value = Reflect.get(target, key, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
