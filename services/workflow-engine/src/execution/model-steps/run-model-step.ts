import { elapsed, startSpan, withinSpan } from '@tollgate/runtime';
import type { AdmissionOutcome, AdmittedStep } from '../../clients/admission.js';
import { callModel } from '../../clients/model-call.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import type { ModelStep } from '../../domain/step/model-step.js';
import { refusalFailure } from '../../domain/step/refusal.js';
import { recordUnusedHold } from '../../store/queues/unknown-costs.js';
import { endStep, markDispatched, markUndelivered } from '../../store/steps/run-steps.js';
import { appendEvents, changeHeldRun } from '../change-run.js';
import type { WorkContext } from '../work-context.js';
import { PeerUnavailable } from '../work-pool.js';
import { AdmissionsAhead } from './admissions-ahead.js';
import { admit } from './admit-step.js';
import { DeltaWriter } from './delta-writer.js';
import { failStep, settleStep } from './end-step.js';
import { type Move, nextMove } from './next-move.js';
import { replayStep } from './replay-step.js';
import { toDispatch } from './to-dispatch.js';
import { leaveUnsent } from './unused-hold.js';

/**
 * Makes one model call of a node, whose intent is in the journal: takes the hold at the ledger, commits
 * `dispatched_at`, calls, and commits the result with usage and cost in the node's transition. Throwing re-queues the
 * work, which resumes from the journal; if nothing was sent yet, under the same hold.
 */
export async function runModelStep(
  ctx: WorkContext,
  item: WorkItem,
  node: ModelNode,
  step: ModelStep,
  signal: AbortSignal,
): Promise<Move | undefined> {
  if (step.replayOf !== undefined) return replayStep(ctx, item, node, step, step.replayOf);
  return withinStepSpan(step, (traced) => makeCall(ctx, item, node, traced, signal, admit(ctx, traced)));
}

/** Runs a step in a span of its own, below which its calls are traced. */
export async function withinStepSpan<T>(step: ModelStep, run: (traced: ModelStep) => Promise<T>): Promise<T> {
  const { ref } = step;
  const span = startSpan('run step', 'internal', step.traceparent, {
    'tollgate.run_id': ref.runId,
    'tollgate.node_id': ref.nodeId,
    'tollgate.step': ref.step,
    'tollgate.attempt': ref.attempt,
  });
  if (!span) return run(step);
  return withinSpan(span, () => run({ ...step, traceparent: span.traceparent }));
}

/** Makes the call of a step whose intent is in the journal. */
export async function makeCall(
  ctx: WorkContext,
  item: WorkItem,
  node: ModelNode,
  step: ModelStep,
  signal: AbortSignal,
  admission: Promise<AdmissionOutcome>,
): Promise<Move | undefined> {
  const startedAt = elapsed();
  const outcome = await admission;
  if (outcome.kind === 'ended') return restartStep(ctx, item, node, step);
  if (outcome.kind === 'refused') {
    const end = { failure: refusalFailure(outcome), status: 'failed', errorCode: outcome.code } as const;
    await failStep(ctx, { item, nodeId: node.id, step }, end);
    return undefined;
  }
  const dispatch = toDispatch(ctx, step, outcome);
  if (signal.aborted || !(await markDispatched(ctx.pool, step.ref, item, dispatch))) return undefined;
  if (signal.aborted) {
    await leaveUnsent(ctx, item, step);
    return undefined;
  }
  const remainingMs = step.remainingMs - (elapsed() - startedAt);
  return dispatchStep(ctx, { item, node, step, admitted: outcome, body: dispatch.llmRequest, remainingMs, signal });
}

/** Takes a new request id when the hold ended before anything was sent: it expired, or the step was superseded. */
function restartStep(ctx: WorkContext, item: WorkItem, node: ModelNode, step: ModelStep): Promise<Move | undefined> {
  return changeHeldRun(ctx, item, async (change) => {
    await endStep(change.tx, step.ref, { status: 'dropped', at: change.draft.now });
    await recordUnusedHold(change.tx, step);
    return nextMove(change, item, node);
  });
}

interface Dispatched {
  item: WorkItem;
  node: ModelNode;
  step: ModelStep;
  admitted: AdmittedStep;
  body: string;
  remainingMs: number;
  signal: AbortSignal;
}

export async function dispatchStep(ctx: WorkContext, dispatched: Dispatched): Promise<Move | undefined> {
  const ahead = new AdmissionsAhead(ctx, dispatched.item.runId, dispatched.node);
  try {
    return await callAndEnd(ctx, dispatched, ahead);
  } finally {
    ahead.leave();
  }
}

async function callAndEnd(ctx: WorkContext, dispatched: Dispatched, ahead: AdmissionsAhead): Promise<Move | undefined> {
  const { item, node, step } = dispatched;
  const writer = new DeltaWriter({
    nodeId: node.id,
    logger: ctx.logger,
    append: (events) => appendEvents(ctx, item, events),
  });
  const outcome = await callModel({
    ...dispatched,
    inference: ctx.clients.inference,
    onText: (text) => {
      writer.push(text);
      return !writer.isLost;
    },
    onAnswer: (received) => ahead.request(received),
  });
  ahead.callEnded(outcome.kind === 'answered');
  const deltas = await writer.finish();
  const at = { item, nodeId: node.id, step };
  switch (outcome.kind) {
    case 'answered':
      return settleStep(ctx, at, node, { ...outcome, deltas, ahead });
    case 'failed': {
      const { failure, provider, served } = outcome;
      await failStep(ctx, at, { failure, status: 'failed', errorCode: failure.code, provider, served, deltas });
      return undefined;
    }
    case 'timed_out': {
      // The call was cut off. Inference settles the usage up to then, and the ledger is asked for it later.
      const failure = step.timeout;
      await failStep(ctx, at, { failure, status: 'ambiguous', errorCode: failure.code, deltas });
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
