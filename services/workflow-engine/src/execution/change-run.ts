import { type Tx, withTransaction } from '@tollgate/postgres';
import { openDraft } from '../domain/run/run-draft.js';
import { type EventDraft, toReaderEvents } from '../domain/run/run-event.js';
import { emit, isComplete } from '../domain/run/run-transitions.js';
import { isTerminal } from '../domain/run/status.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { insertSessionMessage } from '../store/queues/session-messages.js';
import { type Fence, loadNodes, lockRun } from '../store/runs/lock-run.js';
import { appendNodeEvents } from '../store/runs/run-events.js';
import { needsTransaction, writeRun } from '../store/runs/write-run.js';
import type { WrittenRun } from '../store/runs/write-runs.js';
import { endStep, insertIntent, markDispatched } from '../store/steps/run-steps.js';
import { addSessionMessage, finishRun } from './outputs.js';
import type { OpenRun, RunChange } from './run-change.js';
import { isUntouched, RunCommit } from './run-commit.js';
import { estimateNow, type RunState } from './run-states.js';
import type { TransitionContext } from './work-context.js';

/** `fenced`: another process has taken the work over, or the run has ended. Nothing was written. */
export type Changed<T> = { outcome: 'done'; value: T } | { outcome: 'fenced' };

/**
 * Called before a transition of a remembered run is written, to prepare the nodes that this process is about to keep. May alter the
 * draft as far as that needs no transaction.
 */
export type BeforeWriting = (open: OpenRun, keptIds: readonly string[]) => Promise<Prepared>;

export interface Prepared {
  /** Called when the transition was not written as it was prepared, or when that is unknown. */
  undo(): void;
  /** Called after the transition, which may have been made another way, with the nodes that this process has kept. */
  end(kept: readonly WorkItem[]): void;
}

interface KnownChange<T> {
  fence: Fence;
  change: (open: OpenRun) => Promise<T>;
  beforeWriting?: BeforeWriting | undefined;
}

interface WriteResult<T> {
  changed: Changed<T>;
  kept: readonly WorkItem[];
}

class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * One transition of a run: locks the run's row, checks that this process still holds the work, lets `change` alter the
 * draft, and commits run, nodes, work, events, artifacts and outbox together. Wakes readers and workers after the
 * commit.
 */
export function changeRun<T>(
  ctx: TransitionContext,
  runId: string,
  fence: Fence | undefined,
  change: (change: RunChange) => Promise<T>,
): Promise<Changed<T>> {
  return ctx.runStates.inOrder(runId, async () => (await changeLocked(ctx, runId, fence, change)).changed);
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

/**
 * The same for a transition that only reads and alters the draft. A run that this process has written before is not locked
 * and read again: its transition commits in one statement with those of other runs, if the run has not changed since.
 * Otherwise `change` runs a second time, under the lock.
 */
export function changeRunTogether<T>(
  ctx: TransitionContext,
  runId: string,
  fence: Fence,
  change: (open: OpenRun) => Promise<T>,
  beforeWriting?: BeforeWriting,
): Promise<Changed<T>> {
  return ctx.runStates.inOrder(runId, async () => {
    const state = ctx.runStates.take(runId);
    let prepared: Prepared | undefined;
    const prepare: BeforeWriting | undefined =
      beforeWriting &&
      (async (open, keptIds) => {
        prepared = await beforeWriting(open, keptIds);
        return prepared;
      });
    let kept: readonly WorkItem[] = [];
    try {
      const known = state && (await changeKnown(ctx, state, { fence, change, beforeWriting: prepare }));
      const result = known ?? (await changeLocked(ctx, runId, fence, change));
      kept = result.kept;
      return result.changed;
    } finally {
      prepared?.end(kept);
    }
  });
}

/**
 * Appends events of a running node and wakes their readers. Returns false when the lease is lost. A run that this process
 * does not know is not read for it.
 */
export function appendEvents(ctx: TransitionContext, item: WorkItem, events: readonly EventDraft[]): Promise<boolean> {
  const { runId } = item;
  return ctx.runStates.inOrder(runId, async () => {
    const state = ctx.runStates.take(runId);
    const append = async ({ draft }: OpenRun): Promise<void> => {
      for (const event of events) emit(draft, event);
    };
    if (state && (await changeKnown(ctx, state, { fence: { ...item, ends: false }, change: append }))) return true;
    const place = await appendNodeEvents(ctx.pool, runId, item, events);
    if (place) ctx.wakeUps.runChanged(runId, false, () => toReaderEvents(runId, place.lastSeq, place.ts, events));
    return place !== undefined;
  });
}

/** Returns the run as this process has last written it, for a look. Its draft must not be changed. */
export async function peekRun(ctx: TransitionContext, runId: string): Promise<OpenRun | undefined> {
  const state = ctx.runStates.peek(runId);
  return state && openKnown(ctx, state);
}

/** Returns undefined if the transition must be made under the run's lock. */
async function changeKnown<T>(
  ctx: TransitionContext,
  state: RunState,
  { fence, change, beforeWriting }: KnownChange<T>,
): Promise<WriteResult<T> | undefined> {
  const open = await openKnown(ctx, state);
  const value = await change(open);
  if (isComplete(open.draft)) {
    if (state.run.sessionId !== null) return undefined;
    await finishRun(open);
  }
  if (isUntouched(open) || needsTransaction(open.draft)) return undefined;
  const commit = new RunCommit(ctx, open, { revision: state.revision, fence });
  const written = await writeTogether(ctx, open, commit, beforeWriting);
  if (!written) return undefined;
  ctx.runStates.remember(state.run, commit.write, written, state.outputs);
  commit.announce(written.kept);
  return { changed: { outcome: 'done', value }, kept: written.kept };
}

/** Returns undefined when the transition was not written. */
async function writeTogether(
  ctx: TransitionContext,
  open: OpenRun,
  commit: RunCommit,
  beforeWriting: BeforeWriting | undefined,
): Promise<WrittenRun | undefined> {
  let prepared: Prepared | undefined;
  let written: WrittenRun | undefined;
  try {
    prepared = await beforeWriting?.(open, commit.keptIds);
    written = await ctx.runWriter.write(commit.write);
    return written;
  } finally {
    if (!written) {
      prepared?.undo();
      commit.abandon();
    }
  }
}

async function openKnown(ctx: TransitionContext, state: RunState): Promise<OpenRun> {
  const { run, outputs: stored } = state;
  const plan = await ctx.plans.load(ctx.pool, run.projectId, run.planHash);
  if (!plan) throw new Error(`the plan of run ${run.runId} is missing`);
  const draft = openDraft(run, plan, estimateNow(state), state);
  return { db: ctx.pool, run, draft, artifacts: [], steps: { dispatched: [], ended: [] }, outputs: new Map(), stored };
}

async function changeLocked<T>(
  ctx: TransitionContext,
  runId: string,
  fence: Fence | undefined,
  change: (change: RunChange) => Promise<T>,
): Promise<WriteResult<T>> {
  ctx.runStates.forget(runId);
  let commit: RunCommit | undefined;
  try {
    const { value, opened, written } = await withTransaction(ctx.pool, async (tx) => {
      const opened = await openLocked(ctx, tx, runId, fence);
      const value = await change(opened);
      await writeSteps(opened, fence);
      if (isComplete(opened.draft)) {
        const outputs = await finishRun(opened);
        if (outputs) await addSessionMessage(opened, outputs);
      }
      if (isUntouched(opened)) return { value, opened };
      commit = new RunCommit(ctx, opened, undefined);
      const written = await writeRun(tx, commit.write);
      if (opened.sessionMessage) await insertSessionMessage(tx, opened.sessionMessage);
      return { value, opened, written };
    });
    if (commit && written) afterCommit(ctx, opened, commit, written);
    return { changed: { outcome: 'done', value }, kept: written?.kept ?? [] };
  } catch (error) {
    commit?.abandon();
    if (error instanceof Fenced) return { changed: { outcome: 'fenced' }, kept: [] };
    throw error;
  }
}

function afterCommit(ctx: TransitionContext, opened: RunChange, commit: RunCommit, written: WrittenRun): void {
  ctx.runStates.remember(opened.run, commit.write, written);
  commit.announce(written.kept);
  if (opened.sessionMessage) ctx.sessionWriter.wake();
}

async function openLocked(ctx: TransitionContext, tx: Tx, runId: string, fence: Fence | undefined): Promise<RunChange> {
  const run = await lockRun(tx, runId);
  if (!run || (fence && isTerminal(run.status))) throw new Fenced();
  const { isHeld, now, nodes, keptBytes } = await loadNodes(tx, runId, fence);
  if (!isHeld) throw new Fenced();
  const plan = await ctx.plans.load(tx, run.projectId, run.planHash);
  if (!plan) throw new Error(`the plan of run ${runId} is missing`);
  const { status, lastSeq } = run;
  const draft = openDraft(run, plan, now, { nodes, status, keptBytes, lastSeq });
  const steps = { dispatched: [], ended: [] };
  return { db: tx, tx, run, draft, artifacts: [], steps, outputs: new Map(), stored: new Map() };
}

/** Writes the steps of a transition before the statements that read them. */
async function writeSteps({ tx, draft, steps }: RunChange, fence: Fence | undefined): Promise<void> {
  for (const { ref, end } of steps.ended.splice(0)) await endStep(tx, ref, { ...end, at: draft.now });
  for (const { ref, holdId, dispatch } of steps.dispatched.splice(0)) {
    await insertIntent(tx, { ...ref, holdId, at: draft.now });
    if (!fence || !(await markDispatched(tx, ref, fence, dispatch))) throw new Fenced();
  }
}
