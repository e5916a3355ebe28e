import { elapsed, LATE, startSpan, within, withinSpan } from '@tollgate/runtime';
import type { AdmissionOutcome, AdmittedStep } from '../../clients/admission.js';
import { callModel } from '../../clients/model-call.js';
import { startNode } from '../../domain/run/run-transitions.js';
import { refusalFailure } from '../../domain/step/refusal.js';
import { recordUnusedHold } from '../../store/queues/unknown-costs.js';
import { type Dispatch, endStep, markDispatched, markUndelivered } from '../../store/steps/run-steps.js';
import { appendEvents, changeHeldRun, changeRunTogether } from '../change-run.js';
import type { NodeRun, StepRun, WorkContext } from '../work-context.js';
import { PeerUnavailable } from '../work-pool.js';
import { AdmissionsAhead } from './admit-early.js';
import { DeltaWriter } from './delta-writer.js';
import type { EarlyStart } from './early-admissions.js';
import { failStep, settleStep } from './end-step.js';
import { type Move, nextMove } from './next-move.js';
import { replayStep } from './replay-step.js';
import { admit, leaveUnsent, releaseIfOver, toDispatch } from './step-hold.js';

/** Readers see the start of a node at the latest after this time, even if its admission takes longer. */
const ADMISSION_WAIT_MS = 250;

/**
 * Makes the first model call of a node: takes the hold, then commits the start of the node and `dispatched_at` together.
 * Without an admission at once, `resume` commits the start of the node and the intent of the step.
 */
export function runFirstStep(
  ctx: WorkContext,
  run: StepRun,
  resume: () => Promise<Move | undefined>,
): Promise<Move | undefined> {
  return withinStepSpan(run, async (traced) => {
    const { step } = traced;
    const startedAt = elapsed();
    const admission = ctx.earlyAdmissions.take(step.ref)?.outcome ?? admit(ctx, step);
    const admitted = await within(admission, ADMISSION_WAIT_MS).catch(() => undefined);
    if (!admitted || admitted === LATE || admitted.kind !== 'admitted') {
      admission.catch(() => undefined);
      const move = await releasing(ctx, traced, resume);
      if (move?.kind !== 'call') return move;
      const { traceparent } = step;
      return makeCall(ctx, { ...traced, step: { ...move.step, traceparent } }, admission);
    }
    const dispatch = toDispatch(ctx, step, admitted);
    if (!(await releasing(ctx, traced, () => start(ctx, traced, dispatch)))) return undefined;
    const remainingMs = step.remainingMs - (elapsed() - startedAt);
    return dispatchStep(ctx, traced, { admitted, body: dispatch.llmRequest, remainingMs });
  });
}

/** Makes the first model call of a node that was started, and journaled as dispatched, by the transition before it. */
export function runStartedStep(
  ctx: WorkContext,
  run: NodeRun,
  { step, admitted, dispatch, startedAtMs }: EarlyStart,
): Promise<Move | undefined> {
  return withinStepSpan({ ...run, step }, async (traced) => {
    if (run.signal.aborted) {
      await leaveUnsent(ctx, traced);
      return undefined;
    }
    const remainingMs = step.remainingMs - (elapsed() - startedAtMs);
    return dispatchStep(ctx, traced, { admitted, body: dispatch.llmRequest, remainingMs });
  });
}

/**
 * Makes one model call of a node, whose intent is in the journal: takes the hold at the ledger, commits
 * `dispatched_at`, calls, and commits the result with usage and cost in the node's transition. Throwing re-queues the
 * work, which resumes from the journal; if nothing was sent yet, under the same hold.
 */
export async function runModelStep(ctx: WorkContext, run: StepRun): Promise<Move | undefined> {
  const { replayOf } = run.step;
  if (replayOf !== undefined) return replayStep(ctx, run, replayOf);
  return withinStepSpan(run, (traced) => makeCall(ctx, traced, admit(ctx, traced.step)));
}

/** Runs a step in a span of its own, below which its calls are traced. */
async function withinStepSpan<T>(run: StepRun, work: (traced: StepRun) => Promise<T>): Promise<T> {
  const { step } = run;
  const { ref } = step;
  const span = startSpan('run step', 'internal', step.traceparent, {
    'tollgate.run_id': ref.runId,
    'tollgate.node_id': ref.nodeId,
    'tollgate.step': ref.step,
    'tollgate.attempt': ref.attempt,
  });
  if (!span) return work(run);
  return withinSpan(span, () => work({ ...run, step: { ...step, traceparent: span.traceparent } }));
}

/** Releases the hold of the step if `commit` writes nothing, because the node has ended during the admission. */
async function releasing<T>(
  ctx: WorkContext,
  { step }: StepRun,
  commit: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let committed: T | undefined;
  try {
    committed = await commit();
    return committed;
  } finally {
    if (!committed) await releaseIfOver(ctx, step);
  }
}

/** Commits the start of the node with its dispatched step. Returns false when its call must not be made. */
async function start(ctx: WorkContext, run: StepRun, dispatch: Dispatch): Promise<boolean> {
  const { item, signal } = run;
  if (signal.aborted) return false;
  const { ref, holdId } = run.step;
  const changed = await changeRunTogether(ctx, item.runId, { ...item, ends: false }, async ({ draft, steps }) => {
    startNode(draft, item.nodeId);
    steps.dispatched.push({ ref, holdId, dispatch });
  });
  if (changed.outcome === 'fenced') return false;
  if (signal.aborted) await leaveUnsent(ctx, run);
  return !signal.aborted;
}

/** Makes the call of a step whose intent is in the journal. */
async function makeCall(
  ctx: WorkContext,
  run: StepRun,
  admission: Promise<AdmissionOutcome>,
): Promise<Move | undefined> {
  const { item, step, signal } = run;
  const startedAt = elapsed();
  const admitted = await admission;
  if (admitted.kind === 'ended') return restartStep(ctx, run);
  if (admitted.kind === 'refused') {
    const end = { failure: refusalFailure(admitted), status: 'failed', errorCode: admitted.code } as const;
    await failStep(ctx, run, end);
    return undefined;
  }
  const dispatch = toDispatch(ctx, step, admitted);
  if (signal.aborted || !(await markDispatched(ctx.pool, step.ref, item, dispatch))) return undefined;
  if (signal.aborted) {
    await leaveUnsent(ctx, run);
    return undefined;
  }
  const remainingMs = step.remainingMs - (elapsed() - startedAt);
  return dispatchStep(ctx, run, { admitted, body: dispatch.llmRequest, remainingMs });
}

/** Takes a new request id when the hold ended before anything was sent: it expired, or the step was superseded. */
function restartStep(ctx: WorkContext, run: StepRun): Promise<Move | undefined> {
  return changeHeldRun(ctx, run.item, async (change) => {
    await endStep(change.tx, run.step.ref, { status: 'dropped', at: change.draft.now });
    await recordUnusedHold(change.tx, run.step);
    return nextMove(change, run);
  });
}

/** An admitted call that is in the journal as dispatched. */
interface Dispatched {
  admitted: AdmittedStep;
  body: string;
  remainingMs: number;
}

async function dispatchStep(ctx: WorkContext, run: StepRun, dispatched: Dispatched): Promise<Move | undefined> {
  const ahead = new AdmissionsAhead(ctx, run.item.runId, run.node);
  try {
    return await callAndEnd(ctx, run, dispatched, ahead);
  } finally {
    ahead.leave();
  }
}

async function callAndEnd(
  ctx: WorkContext,
  run: StepRun,
  dispatched: Dispatched,
  ahead: AdmissionsAhead,
): Promise<Move | undefined> {
  const { item, node, step, signal } = run;
  const writer = new DeltaWriter({
    nodeId: node.id,
    logger: ctx.logger,
    append: (events) => appendEvents(ctx, item, events),
  });
  const outcome = await callModel({
    ...dispatched,
    step,
    signal,
    inference: ctx.clients.inference,
    onText: (text) => {
      writer.push(text);
      return !writer.isLost;
    },
    onAnswer: (received) => ahead.request(received),
  });
  ahead.callEnded(outcome.kind === 'answered');
  const deltas = await writer.finish();
  switch (outcome.kind) {
    case 'answered':
      return settleStep(ctx, run, { ...outcome, deltas, ahead });
    case 'failed': {
      const { failure, provider, served } = outcome;
      await failStep(ctx, run, { failure, status: 'failed', errorCode: failure.code, provider, served, deltas });
      return undefined;
    }
    case 'timed_out': {
      // The call was cut off. Inference settles the usage up to then, and the ledger is asked for it later.
      const failure = step.timeout;
      await failStep(ctx, run, { failure, status: 'ambiguous', errorCode: failure.code, deltas });
      return undefined;
    }
    case 'left':
      return undefined;
    case 'undelivered':
      await markUndelivered(ctx.pool, step.ref, item);
      throw new PeerUnavailable('the model call was not delivered', { cause: outcome.error });
    case 'lost':
      throw outcome.error;
  }
}
