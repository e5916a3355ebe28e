import { eventTypes, newEvent } from '@tollgate/events';
import { elapsed, type Logger } from '@tollgate/runtime';
import type { RunDraft } from '../domain/run/run-draft.js';
import { toReaderEvents } from '../domain/run/run-event.js';
import { isTerminal, type RunStatus } from '../domain/run/status.js';
import type { WorkItem } from '../domain/run/work-item.js';
import type { Artifact } from '../store/artifacts.js';
import type { Fence } from '../store/runs/lock-run.js';
import { type RunWrite, type StepWrites, sortWork } from '../store/runs/write-runs.js';
import type { TransitionContext } from './work-context.js';

/** The write of one transition, and its effects on the rest of the process after the commit. */
export class RunCommit {
  readonly #ctx: TransitionContext;
  readonly #draft: RunDraft;
  readonly write: RunWrite;
  /** Before the leases of the work that this process keeps. */
  readonly #createdAt = elapsed();

  constructor(
    ctx: TransitionContext,
    { draft, artifacts, steps }: { draft: RunDraft; artifacts: readonly Artifact[]; steps: StepWrites },
    guard: { revision: string; fence: Fence | undefined } | undefined,
  ) {
    this.#ctx = ctx;
    this.#draft = draft;
    const { work } = ctx;
    this.write = {
      draft,
      artifacts,
      steps,
      outbox: lifecycleEvent(draft),
      keep: work.reserve(draft.toQueue.filter(({ delayMs }) => delayMs === 0).length),
      lease: ctx.lease,
      revision: guard?.revision,
      fence: guard?.fence,
    };
  }

  /** Ids of the queued nodes that this process will keep. */
  get keptIds(): string[] {
    return sortWork(this.#draft)
      .slice(0, this.write.keep)
      .map(({ id }) => id);
  }

  /** Call after the commit. `kept`: the work that this process keeps. */
  announce(kept: readonly WorkItem[]): void {
    const { work, wakeUps, relay, metrics, logger } = this.#ctx;
    work.accept(kept, this.#createdAt);
    const draft = this.#draft;
    // No work is left when a run succeeds; when it ends otherwise, some may still be running.
    const isCutShort = draft.status === 'failed' || draft.status === 'canceled' || draft.toDrop.length > 0;
    const { runId, lastSeq, now, events } = draft;
    if (events.length > 0) wakeUps.runChanged(runId, isCutShort, () => toReaderEvents(runId, lastSeq, now, events));
    const later = draft.toQueue.filter(({ delayMs }) => delayMs > 0);
    for (const { delayMs } of later) work.wakeAfter(delayMs);
    for (const { at } of draft.alarms) work.wakeAfter(at.getTime() - draft.now.getTime());
    if (draft.toQueue.length - later.length > kept.length) wakeUps.workAdded();
    if (draft.status !== draft.statusBefore) relay.wake();
    if (isTerminal(draft.status) && draft.status !== draft.statusBefore) {
      const startedMs = (draft.createdAt ?? draft.now).getTime();
      metrics.runEnded(draft.status, (draft.now.getTime() - startedMs) / 1_000);
      logEnd(logger, draft);
    }
  }

  /** Call when nothing was written. */
  abandon(): void {
    this.#ctx.work.release(this.write.keep);
  }
}

/** Whether there is nothing to write. */
export function isUntouched({ draft, artifacts }: { draft: RunDraft; artifacts: readonly Artifact[] }): boolean {
  const isQuiet = draft.touched.size === 0 && draft.events.length === 0 && artifacts.length === 0;
  return isQuiet && draft.status === draft.statusBefore;
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
