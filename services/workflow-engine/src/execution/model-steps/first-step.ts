import { elapsed, LATE, within } from '@tollgate/runtime';
import type { ModelNode } from '../../domain/plan/plan.js';
import { startNode } from '../../domain/run/run-transitions.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import type { Dispatch } from '../../store/steps/run-steps.js';
import { changeRunTogether } from '../change-run.js';
import type { WorkContext } from '../work-context.js';
import { admit } from './admit-step.js';
import type { EarlyStart } from './early-admissions.js';
import type { Move } from './next-move.js';
import { dispatchStep, makeCall, withinStepSpan } from './run-model-step.js';
import { toDispatch } from './to-dispatch.js';
import { leaveUnsent, releaseIfOver } from './unused-hold.js';

/** Readers see the start of a node at the latest after this time, even if its admission takes longer. */
const ADMISSION_WAIT_MS = 250;

/**
 * Makes the first model call of a node: takes the hold, then commits the start of the node and `dispatched_at` together.
 * Without an admission at once, `resume` commits the start of the node and the intent of the step.
 */
export function runFirstStep(
  ctx: WorkContext,
  item: WorkItem,
  node: ModelNode,
  step: ModelStep,
  signal: AbortSignal,
  resume: () => Promise<Move | undefined>,
): Promise<Move | undefined> {
  return withinStepSpan(step, async (traced) => {
    const startedAt = elapsed();
    const admission = ctx.earlyAdmissions.take(traced.ref)?.outcome ?? admit(ctx, traced);
    const admitted = await within(admission, ADMISSION_WAIT_MS).catch(() => undefined);
    if (!admitted || admitted === LATE || admitted.kind !== 'admitted') {
      admission.catch(() => undefined);
      const move = await releasing(ctx, traced, resume);
      if (move?.kind !== 'call') return move;
      const { traceparent } = traced;
      return makeCall(ctx, item, node, { ...move.step, traceparent }, signal, admission);
    }
    const dispatch = toDispatch(ctx, traced, admitted);
    if (!(await releasing(ctx, traced, () => start(ctx, item, traced, dispatch, signal)))) return undefined;
    const remainingMs = traced.remainingMs - (elapsed() - startedAt);
    const { llmRequest: body } = dispatch;
    return dispatchStep(ctx, { item, node, step: traced, admitted, body, remainingMs, signal });
  });
}

/** Makes the first model call of a node that was started, and journaled as dispatched, by the transition before it. */
export function runStartedStep(
  ctx: WorkContext,
  item: WorkItem,
  node: ModelNode,
  { step, admitted, dispatch, startedAtMs }: EarlyStart,
  signal: AbortSignal,
): Promise<Move | undefined> {
  return withinStepSpan(step, async (traced) => {
    if (signal.aborted) {
      await leaveUnsent(ctx, item, traced);
      return undefined;
    }
    const remainingMs = traced.remainingMs - (elapsed() - startedAtMs);
    return dispatchStep(ctx, { item, node, step: traced, admitted, body: dispatch.llmRequest, remainingMs, signal });
  });
}

/** Releases the hold of the step if `commit` writes nothing, because the node has ended during the admission. */
async function releasing<T>(
  ctx: WorkContext,
  step: ModelStep,
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
async function start(
  ctx: WorkContext,
  item: WorkItem,
  step: ModelStep,
  dispatch: Dispatch,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
  const { ref, holdId } = step;
  const changed = await changeRunTogether(ctx, item.runId, { ...item, ends: false }, async ({ draft, steps }) => {
    startNode(draft, item.nodeId);
    steps.dispatched.push({ ref, holdId, dispatch });
  });
  if (changed.outcome === 'fenced') return false;
  if (signal.aborted) await leaveUnsent(ctx, item, step);
  return !signal.aborted;
}
