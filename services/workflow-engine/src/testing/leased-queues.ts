import { randomUUID } from 'node:crypto';
import type { Pool } from '@tollgate/postgres';
import { type LeasePool, silentLogger } from '@tollgate/runtime';
import { backgroundLimits } from '../domain/background/background-request.js';
import { batchLimits } from '../domain/batches/batch-limits.js';
import { createDependencies, createRequestPool, type RequestPoolOptions } from '../execution/requests/request-pool.js';
import { createWorkPool } from '../execution/work-pool.js';
import { backgroundQueue, endBackground } from '../store/background/background-queue.js';
import { batchLines, endLine } from '../store/batches/batch-lines.js';
import type { ClaimedRequest } from '../store/queues/queued-requests.js';
import { deleteWork } from '../store/queues/run-work.js';

/** A queue of this service whose items do what a test or a benchmark says. */
export interface LeasedQueue {
  name: string;
  table: string;
  dueAt: string;
  /** SQL condition. */
  unfinished: string;
  /** Queues `$2` due items of the caller `$1`, which is its own account and project, too. */
  insert: string;
  /** The longest pause after a first failure. */
  firstPauseMs: number;
  open(pool: Pool, options: LeasedOptions): Pick<LeasePool<never>, 'start' | 'stop' | 'wake'>;
}

export interface LeasedOptions {
  /** Undefined: as many as in production. */
  slots?: number;
  drainMs: number;
  heartbeatMs: number;
  leaseMs: number;
  pollMs: number;
  /** Runs an item of the caller; a throw returns it to the queue. The item ends afterwards, unless the signal is aborted. */
  run: (signal: AbortSignal, callerId: string) => Promise<void>;
}

const WORK_SLOTS = 64;
const ANSWER = {
  statusCode: 200,
  answer: '{}',
  isSuccess: true,
  usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 },
};

function openRequests<Item extends ClaimedRequest>(
  pool: Pool,
  { run, slots, ...work }: LeasedOptions,
  { store, limits }: Pick<RequestPoolOptions<Item>, 'store' | 'limits'>,
  end: (item: Item) => Promise<unknown>,
) {
  return createRequestPool<Item>({
    name: 'test',
    pool,
    logger: silentLogger,
    dependencies: createDependencies(silentLogger),
    store,
    limits: slots === undefined ? limits : { ...limits, slots },
    work,
    async run(item, signal) {
      await run(signal, item.traceparent ?? '');
      if (!signal.aborted) await end(item);
    },
  });
}

export const leasedQueues: readonly LeasedQueue[] = [
  {
    name: 'run work',
    table: 'run_work',
    dueAt: 'run_at',
    unfinished: 'true',
    insert: `INSERT INTO run_work (project_id, run_id, node_id, kind, run_at)
             SELECT $1, gen_random_uuid(), 'a', 'node', now() FROM generate_series(1, $2::int)`,
    firstPauseMs: 250,
    open: (pool, { leaseMs, run, slots = WORK_SLOTS, ...timing }) =>
      createWorkPool({
        pool,
        logger: silentLogger,
        lease: { owner: randomUUID(), leaseMs },
        slots,
        ...timing,
        async run(item, signal) {
          await run(signal, item.projectId);
          if (!signal.aborted) await deleteWork(pool, item);
        },
      }),
  },
  {
    name: 'background responses',
    table: 'background_responses',
    dueAt: 'due_at',
    unfinished: 'ended_at IS NULL',
    insert: `INSERT INTO background_responses (id, account_id, project_id, principal, traceparent, head, body, bytes, options, expires_at)
             SELECT gen_random_uuid(), $1::uuid, $1::uuid, '', $1::uuid, '{}', '{}', 1, '{}', now() + interval '1 h'
             FROM generate_series(1, $2::int)`,
    firstPauseMs: 500,
    open: (pool, options) =>
      openRequests(pool, options, { store: backgroundQueue, limits: backgroundLimits }, (item) =>
        endBackground(pool, item, { status: 'completed', answer: undefined, error: undefined }),
      ),
  },
  {
    name: 'batch lines',
    table: 'batch_lines',
    dueAt: 'due_at',
    unfinished: 'NOT is_done',
    insert: `WITH batch AS (
               INSERT INTO batches (batch_id, account_id, project_id, principal, traceparent, endpoint, input_file_id, output_ttl_seconds,
                                    status, total, expires_at)
               SELECT gen_random_uuid(), $1::uuid, $1::uuid, '', $1::uuid, '/v1/responses', gen_random_uuid(), 0, 'in_progress',
                      least(1000, $2::int), now() + interval '1 h' FROM generate_series(1, ceil($2::int / 1000.0)::int) RETURNING batch_id, account_id)
             INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body)
             SELECT batch_id, account_id, line, line, '{}' FROM batch, generate_series(1, least(1000, $2::int)) AS line`,
    firstPauseMs: 500,
    open: (pool, options) =>
      openRequests(pool, options, { store: batchLines, limits: batchLimits }, (item) => endLine(pool, item, ANSWER)),
  },
];
