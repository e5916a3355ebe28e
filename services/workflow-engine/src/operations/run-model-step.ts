import { type Admitted, admitStep, releaseHold } from '../clients/admission.js';
import { callModel } from '../clients/model-call.js';
import type { Context } from '../context.js';
import { toolsFor } from '../domain/agent-prompt.js';
import type { ModelStep } from '../domain/model-step.js';
import type { ModelNode } from '../domain/plan.js';
import { refusalFailure } from '../domain/refusal.js';
import { toldEvents } from '../domain/run-event.js';
import { findRun } from '../store/read-runs.js';
import { appendNodeEvents } from '../store/run-events.js';
import { markDispatched } from '../store/run-steps.js';
import type { WorkItem } from '../store/work-item.js';
import { DeltaWriter } from './delta-writer.js';
import { failStep, settleStep } from './end-step.js';
import type { Move } from './next-move.js';
import { replayStep } from './replay-step.js';

/**
 * One model call of a node, whose intent is in the journal: hold at the ledger, `dispatched_at` committed, the call, and
 * its result with usage and cost in the node's transition. A throw means "try again later": the journal tells how.
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
  const { staleRequestId, principal } = step;
  if (staleRequestId !== undefined) {
    await releaseHold(ctx.clients.billing, ctx.logger, { requestId: staleRequestId, principal });
  }
  const admitted = await admit(ctx, item, node, step);
  if (!admitted) return undefined;
  const { prices, admission } = admitted;
  const body = JSON.stringify(toolsFor(step.request, ctx.catalog.find(admission.modelId)));
  const dispatch = { modelId: admission.modelId, prices, heldMicrocents: admission.heldMicrocents, llmRequest: body };
  if (signal.aborted || !(await markDispatched(ctx.pool, step.ref, item, dispatch))) {
    await releaseIfOver(ctx, step);
    return undefined;
  }
  const remainingMs = step.remainingMs - (performance.now() - startedAt);
  return dispatchStep(ctx, { item, node, step, admitted, body, remainingMs, signal });
}

/**
 * The work was taken away before anything was sent. Whoever took it over goes on with this very hold; only a run that
 * has ended needs it no more.
 */
async function releaseIfOver(ctx: Context, step: ModelStep): Promise<void> {
  const run = await findRun(ctx.prisma, step.ref.runId);
  if (run?.endedAt) await releaseHold(ctx.clients.billing, ctx.logger, step);
}

/** Undefined when the step was refused and its run has failed. */
async function admit(ctx: Context, item: WorkItem, node: ModelNode, step: ModelStep): Promise<Admitted | undefined> {
  const outcome = await admitStep(ctx.clients.billing, ctx.catalog, step);
  if (outcome.kind === 'admitted') return outcome;
  const { code, message } = outcome;
  const failure = refusalFailure({ code, message });
  await failStep(ctx, { item, nodeId: node.id, step }, { failure, status: 'failed', errorCode: code });
  return undefined;
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
  const { item, node, step, admitted } = dispatched;
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
        prices: admitted.prices,
        deltas: rest,
      });
    case 'failed': {
      const { failure, provider, usage } = outcome;
      const cost = usage && { usage, prices: admitted.prices };
      const end = { failure, status: 'failed', errorCode: failure.code, provider, cost, deltas: rest } as const;
      await failStep(ctx, at, end);
      return undefined;
    }
    case 'timed_out': {
      // The call was cut off: what the provider had served by then is settled, but nobody told us.
      const failure = step.timeout;
      await failStep(ctx, at, { failure, status: 'ambiguous', errorCode: failure.code, deltas: rest });
      return undefined;
    }
    case 'left':
      return undefined;
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
