import { isAppError, isTransientError } from '@tollgate/errors';
import { type AdmissionOutcome, type Admitted, admitStep } from '../../clients/admission.js';
import { callModel } from '../../clients/model-call.js';
import type { Context } from '../../context.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { toldEvents } from '../../domain/run/run-event.js';
import { toolsFor } from '../../domain/step/agent-prompt.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { refusalFailure } from '../../domain/step/refusal.js';
import { appendNodeEvents } from '../../store/run-events.js';
import { endStep, markDispatched, markUndelivered } from '../../store/run-steps.js';
import { recordUnusedHold } from '../../store/unknown-costs.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun } from '../change-run.js';
import { NotYet } from '../work-pool.js';
import { DeltaWriter } from './delta-writer.js';
import { failStep, settleStep } from './end-step.js';
import { type Move, nextMove } from './next-move.js';
import { replayStep } from './replay-step.js';

/**
 * Makes one model call of a node, whose intent is in the journal: takes the hold at the ledger, commits `dispatched_at`,
 * calls, and commits the result with usage and cost in the node's transition. Throwing re-queues the work, and the
 * journal says how it resumes: as long as nothing was sent, under the same hold.
 */
export async function runModelStep(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  step: ModelStep,
  signal: AbortSignal,
): Promise<Move | undefined> {
  if (step.replayOf !== undefined) return replayStep(ctx, item, node, step, step.replayOf);
  const startedAt = performance.now();
  const outcome = await admit(ctx, step);
  if (outcome.kind === 'ended') return restartStep(ctx, item, node, step);
  if (outcome.kind === 'refused') {
    const { code } = outcome;
    await failStep(
      ctx,
      { item, nodeId: node.id, step },
      { failure: refusalFailure(outcome), status: 'failed', errorCode: code },
    );
    return undefined;
  }
  const { prices, admission } = outcome;
  const body = JSON.stringify(toolsFor(step.request, ctx.catalog.find(admission.modelId)));
  const dispatch = { modelId: admission.modelId, prices, heldMicrocents: admission.heldMicrocents, llmRequest: body };
  if (signal.aborted || !(await markDispatched(ctx.pool, step.ref, item, dispatch))) return undefined;
  const remainingMs = step.remainingMs - (performance.now() - startedAt);
  return dispatchStep(ctx, { item, node, step, admitted: outcome, body, remainingMs, signal });
}

/** A ledger that cannot be asked is waited for: the step resumes under the same id, and so under the same hold. */
async function admit(ctx: Context, step: ModelStep): Promise<AdmissionOutcome> {
  try {
    return await admitStep(ctx.clients.billing, ctx.catalog, step);
  } catch (error) {
    throw isUnavailable(error) ? new NotYet('the step was not admitted yet', { cause: error }) : error;
  }
}

/** A fault of the ledger's own, which may be this very request's, is not waited for without end. */
function isUnavailable(error: unknown): boolean {
  return isTransientError(error) && !(isAppError(error) && error.code === 'INTERNAL_ERROR');
}

/** The hold ended before anything was sent, by its expiry or because the step was superseded: takes a new request id. */
async function restartStep(ctx: Context, item: WorkItem, node: ModelNode, step: ModelStep): Promise<Move | undefined> {
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, async (change) => {
    await endStep(change.tx, step.ref, { status: 'dropped', at: change.draft.now });
    await recordUnusedHold(change.tx, step);
    return nextMove(change, item, node);
  });
  return changed.outcome === 'done' ? changed.value : undefined;
}

interface Dispatched {
  item: WorkItem;
  node: ModelNode;
  step: ModelStep;
  admitted: Admitted;
  body: string;
  remainingMs: number;
  signal: AbortSignal;
}

async function dispatchStep(ctx: Context, dispatched: Dispatched): Promise<Move | undefined> {
  const { item, node, step } = dispatched;
  const deltas = new DeltaWriter({
    nodeId: node.id,
    logger: ctx.logger,
    append: (events) => appendAndTell(ctx, item, events),
  });
  const outcome = await callModel({
    ...dispatched,
    inference: ctx.clients.inference,
    onText: (text) => {
      deltas.push(text);
      return !deltas.isLost;
    },
  });
  const rest = await deltas.finish();
  const at = { item, nodeId: node.id, step };
  switch (outcome.kind) {
    case 'answered':
      return settleStep(ctx, at, node, {
        ...outcome,
        deltas: rest,
      });
    case 'failed': {
      const { failure, provider, served } = outcome;
      const end = { failure, status: 'failed', errorCode: failure.code, provider, served, deltas: rest } as const;
      await failStep(ctx, at, end);
      return undefined;
    }
    case 'timed_out': {
      // The call was cut off. Inference settles what was served by then; the ledger is asked for it later.
      const failure = step.timeout;
      await failStep(ctx, at, { failure, status: 'ambiguous', errorCode: failure.code, deltas: rest });
      return undefined;
    }
    case 'left':
      return undefined;
    case 'undelivered':
      await markUndelivered(ctx.pool, step.ref, item);
      throw new NotYet('the model call was not delivered', { cause: outcome.error });
    case 'lost':
      throw outcome.error;
  }
}

async function appendAndTell(
  ctx: Context,
  item: WorkItem,
  events: Parameters<typeof appendNodeEvents>[3],
): Promise<boolean> {
  const { runId } = item;
  const place = await appendNodeEvents(ctx.pool, runId, item, events);
  if (place) ctx.wakeUps.runChanged(runId, false, () => toldEvents(runId, place.lastSeq, place.ts, events));
  return place !== undefined;
}
