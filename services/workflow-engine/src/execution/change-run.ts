import { appendEvents, eventTypes, newEvent } from '@tollgate/events';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import { openDraft, type RunDraft } from '../domain/run/run-draft.js';
import { toReaderEvents } from '../domain/run/run-event.js';
import { isComplete } from '../domain/run/run-transitions.js';
import { isTerminal, type RunStatus } from '../domain/run/status.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { type Fence, loadNodes, lockRun } from '../store/lock-run.js';
import { insertSessionMessage } from '../store/queues/session-messages.js';
import { writeRun } from '../store/write-run.js';
import { finishRun } from './finish-run.js';
import type { RunChange } from './run-change.js';
import type { TransitionContext } from './work-context.js';

/** `fenced`: another process has taken the work over, or the run has ended. Nothing was written. */
export type Changed<T> = { outcome: 'done'; value: T } | { outcome: 'fenced' };

class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * One transition of a run: locks the run's row, checks that this process still holds the work, lets `change` alter the
 * draft, and commits run, nodes, work, events, artifacts and outbox together. Wakes readers and workers after the
 * commit.
 */
export async function changeRun<T>(
  ctx: TransitionContext,
  runId: string,
  fence: Fence | undefined,
  change: (change: RunChange) => Promise<T>,
): Promise<Changed<T>> {
  const commit = new RunCommit(ctx);
  try {
    const value = await withTransaction(ctx.pool, async (tx) => {
      const opened = await openChange(ctx, tx, runId, fence);
      const result = await change(opened);
      if (isComplete(opened.draft)) await finishRun(opened);
      await commit.write(opened);
      return result;
    });
    commit.announce();
    return { outcome: 'done', value };
  } catch (error) {
    commit.abandon();
    if (error instanceof Fenced) return { outcome: 'fenced' };
    throw error;
  }
}

/** Changes a run as the holder of a piece of work. Returns undefined when the fence did not hold. */
export async function changeHeldRun<T>(
  ctx: TransitionContext,
  item: WorkItem,
  change: (change: RunChange) => Promise<T>,
): Promise<T | undefined> {
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, change);
  return changed.outcome === 'done' ? changed.value : undefined;
}

async function openChange(ctx: TransitionContext, tx: Tx, runId: string, fence: Fence | undefined): Promise<RunChange> {
  const run = await lockRun(tx, runId);
  if (!run || (fence && isTerminal(run.status))) throw new Fenced();
  const { isHeld, now, nodes, keptBytes } = await loadNodes(tx, runId, fence);
  if (!isHeld) throw new Fenced();
  const plan = await ctx.plans.load(tx, run.projectId, run.planHash);
  if (!plan) throw new Error(`the plan of run ${runId} is missing`);
  const { status, lastSeq } = run;
  const draft = openDraft(run, plan, now, { nodes, status, keptBytes, lastSeq });
  return { tx, run, draft, artifacts: [], outputs: new Map() };
}

/** Writes a transition, and wakes the rest of the process after its commit. */
export class RunCommit {
  readonly #ctx: TransitionContext;
  #reserved = 0;
  #kept: WorkItem[] = [];
  #draft: RunDraft | undefined;
  #hasSessionMessage = false;

  constructor(ctx: TransitionContext) {
    this.#ctx = ctx;
  }

  async write({
    tx,
    draft,
    artifacts,
    sessionMessage,
  }: Pick<RunChange, 'tx' | 'draft' | 'artifacts' | 'sessionMessage'>): Promise<void> {
    const isUntouched = draft.touched.size === 0 && draft.events.length === 0 && artifacts.length === 0;
    if (isUntouched && draft.status === draft.statusBefore) return;
    const { work } = this.#ctx;
    this.#reserved = work.reserve(draft.toQueue.filter(({ delayMs }) => delayMs === 0).length);
    this.#kept = await writeRun(tx, draft, { artifacts, keep: this.#reserved, lease: work.lease });
    const lifecycle = lifecycleEvent(draft);
    if (lifecycle) await appendEvents(tx, [lifecycle]);
    if (sessionMessage) await insertSessionMessage(tx, sessionMessage);
    this.#hasSessionMessage = sessionMessage !== undefined;
    this.#draft = draft;
  }

  /** Call after the commit. */
  announce(): void {
    const { work, wakeUps, relay, sessionWriter, metrics, logger } = this.#ctx;
    work.accept(this.#kept);
    const draft = this.#draft;
    if (!draft) return;
    // No work is left when a run succeeds; when it ends otherwise, some may still be running.
    const isCutShort = draft.status === 'failed' || draft.status === 'canceled' || draft.toDrop.length > 0;
    const { runId, lastSeq, now, events } = draft;
    if (events.length > 0) wakeUps.runChanged(runId, isCutShort, () => toReaderEvents(runId, lastSeq, now, events));
    const later = draft.toQueue.filter(({ delayMs }) => delayMs > 0);
    for (const { delayMs } of later) work.wakeAfter(delayMs);
    for (const { at } of draft.alarms) work.wakeAfter(at.getTime() - draft.now.getTime());
    if (draft.toQueue.length - later.length > this.#kept.length) wakeUps.workAdded();
    if (draft.status !== draft.statusBefore) relay.wake();
    if (isTerminal(draft.status) && draft.status !== draft.statusBefore) {
      const startedMs = (draft.createdAt ?? draft.now).getTime();
      metrics.runEnded(draft.status, (draft.now.getTime() - startedMs) / 1_000);
      logEnd(logger, draft);
    }
    if (this.#hasSessionMessage) sessionWriter.wake();
  }

  /** Call after a rollback. */
  abandon(): void {
    this.#ctx.work.release(this.#reserved);
  }
}

function logEnd(logger: Logger, draft: RunDraft): void {
  const { runId, projectId, customerId, planHash, status, failure, nodes, now, createdAt } = draft;
  const fields = {
    run_id: runId,
    project_id: projectId,
    customer_id: customerId ?? undefined,
    plan_hash: planHash,
    status,
    error_code: failure?.code,
    nodes: nodes.size,
    duration_ms: createdAt && now.getTime() - createdAt.getTime(),
  };
  logger.info(fields, 'run ended');
}

/** Returns the event for `tollgate.runs.v1`. A run that resumes after waiting emits none. */
function lifecycleEvent(draft: RunDraft) {
  if (draft.status === draft.statusBefore) return undefined;
  if (draft.status === 'running' && draft.statusBefore !== null) return undefined;
  return newEvent(lifecycleTypes[draft.status], {
    key: draft.runId,
    traceparent: draft.traceparent ?? undefined,
    occurredAt: draft.now,
    message: {
      runId: draft.runId,
      projectId: draft.projectId,
      customerId: draft.customerId ?? '',
      status: draft.status,
      planHash: draft.planHash,
      errorCode: draft.failure?.code ?? '',
    },
  });
}

const lifecycleTypes = {
  running: eventTypes.runStarted,
  waiting: eventTypes.runWaiting,
  succeeded: eventTypes.runSucceeded,
  failed: eventTypes.runFailed,
  canceled: eventTypes.runCanceled,
} as const satisfies Record<RunStatus, unknown>;
