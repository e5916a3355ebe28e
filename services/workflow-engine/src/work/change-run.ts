import { appendEvents, eventTypes, newEvent } from '@tollgate/events';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { openDraft, type RunDraft } from '../domain/run/run-draft.js';
import { toldEvents } from '../domain/run/run-event.js';
import { isComplete } from '../domain/run/run-transitions.js';
import { isTerminal, type RunStatus } from '../domain/run/status.js';
import { type Fence, type LockedRun, loadNodes, lockRun } from '../store/lock-run.js';
import { insertSessionMessage, type RunSessionMessage } from '../store/session-messages.js';
import type { WorkItem } from '../store/work-item.js';
import { type Artifact, writeRun } from '../store/write-run.js';
import { finishRun } from './finish-node.js';

/** What a transition works with: the draft, the locked row, and the transaction for what belongs to the same commit. */
export interface RunChange {
  tx: Tx;
  run: LockedRun;
  draft: RunDraft;
  /** Written together with the draft. */
  artifacts: Artifact[];
  /** Of a run that succeeds: what it appends to its session. */
  sessionMessage?: RunSessionMessage;
}

/** `fenced`: somebody else has taken the work over, or the run has ended. Nothing was written. */
export type Changed<T> = { outcome: 'done'; value: T } | { outcome: 'fenced' };

class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * One transition of a run: takes the run's row, proves that the work is still held, lets `change` alter the draft, and
 * commits run, nodes, work, events, artifacts and outbox together. Readers and workers hear of it after the commit.
 */
export async function changeRun<T>(
  ctx: Context,
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

async function openChange(ctx: Context, tx: Tx, runId: string, fence: Fence | undefined): Promise<RunChange> {
  const run = await lockRun(tx, runId);
  if (!run || (fence && isTerminal(run.status))) throw new Fenced();
  const { isHeld, now, nodes, keptBytes } = await loadNodes(tx, runId, fence);
  if (!isHeld) throw new Fenced();
  const plan = await ctx.plans.load(tx, run.projectId, run.planHash);
  if (!plan) throw new Error(`run ${runId} has lost its plan`);
  const { status, lastSeq } = run;
  return { tx, run, draft: openDraft(run, plan, now, { nodes, status, keptBytes, lastSeq }), artifacts: [] };
}

/** The writing half of a transition, and what is owed to the rest of the process after its commit or rollback. */
export class RunCommit {
  readonly #ctx: Context;
  #reserved = 0;
  #kept: WorkItem[] = [];
  #draft: RunDraft | undefined;
  #hasSessionMessage = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async write(change: Pick<RunChange, 'tx' | 'draft' | 'artifacts' | 'sessionMessage'>): Promise<void> {
    const { tx, draft, artifacts, sessionMessage } = change;
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

  announce(): void {
    const { work, wakeUps, relay, sessionWriter } = this.#ctx;
    work.accept(this.#kept);
    const draft = this.#draft;
    if (!draft) return;
    // A run that has succeeded leaves nothing under way; any other end may.
    const isCutShort = draft.status === 'failed' || draft.status === 'canceled' || draft.toDrop.length > 0;
    const { runId, lastSeq, now, events } = draft;
    if (events.length > 0) wakeUps.runChanged(runId, isCutShort, () => toldEvents(runId, lastSeq, now, events));
    const later = draft.toQueue.filter(({ delayMs }) => delayMs > 0);
    for (const { delayMs } of later) work.wakeAfter(delayMs);
    for (const { at } of draft.alarms) work.wakeAfter(at.getTime() - draft.now.getTime());
    if (draft.toQueue.length - later.length > this.#kept.length) wakeUps.workAdded();
    if (draft.status !== draft.statusBefore) relay.wake();
    if (this.#hasSessionMessage) sessionWriter.wake();
  }

  abandon(): void {
    this.#ctx.work.release(this.#reserved);
  }
}

/** The event on `tollgate.runs.v1`; a run that goes on after waiting tells nothing new. */
function lifecycleEvent(draft: RunDraft) {
  if (draft.status === draft.statusBefore) return undefined;
  if (draft.status === 'running' && draft.statusBefore !== null) return undefined;
  return newEvent(lifecycleTypes[draft.status], {
    key: draft.runId,
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
