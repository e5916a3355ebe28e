import type { Pool } from '@tollgate/postgres';
import type { Clock } from '@tollgate/runtime';
import type { RequestEntry } from '../domain/reports/request-entry.js';
import { addDay, startOfDay } from '../store/requests/partitions.js';
import { insertRequests, replaceRequests } from '../store/requests/request-entries.js';

const DAY_MS = 86_400_000;

export interface RequestLogContext {
  pool: Pool;
  clock: Clock;
  config: { requestKeepDays: number };
}

/** Entries to store, and late reports that replace the figures of stored ones. */
export interface RequestBatch {
  settled: readonly RequestEntry[];
  corrected?: readonly RequestEntry[];
}

/** Days whose partition exists, per pool: each is looked up once. */
const knownDays = new WeakMap<Pool, Set<number>>();

/** Stores a batch of requests, each once. Drops those past their retention, which a repeated event may carry. */
export async function recordRequests(ctx: RequestLogContext, { settled, corrected = [] }: RequestBatch): Promise<void> {
  const oldest = oldestMs(ctx);
  const newest = startOfDay(ctx.clock.nowMs()) + 2 * DAY_MS;
  const kept = settled.filter(({ at }) => at.getTime() >= oldest && at.getTime() < newest);
  for (const dayMs of new Set(kept.map(({ at }) => startOfDay(at.getTime())))) await requireDay(ctx.pool, dayMs);
  await insertRequests(ctx.pool, kept);
  await replaceRequests(ctx.pool, corrected, new Date(oldest));
}

/** Adds the partitions of today and tomorrow, so that no batch has to wait for them. */
export async function prepareDays({ pool, clock }: RequestLogContext): Promise<void> {
  const today = startOfDay(clock.nowMs());
  for (const dayMs of [today, today + DAY_MS]) await requireDay(pool, dayMs);
}

/** The first moment that is kept. */
export function oldestMs({ clock, config }: Omit<RequestLogContext, 'pool'>): number {
  return startOfDay(clock.nowMs()) - config.requestKeepDays * DAY_MS;
}

async function requireDay(pool: Pool, dayMs: number): Promise<void> {
  const known = knownDays.get(pool) ?? new Set();
  knownDays.set(pool, known);
  if (known.has(dayMs)) return;
  await addDay(pool, dayMs);
  known.add(dayMs);
}
