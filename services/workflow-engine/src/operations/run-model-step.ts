import { type Admitted, admitStep, releaseHold } from '../clients/admission.js';
import { callModel } from '../clients/model-call.js';
import type { Context } from '../context.js';
import { type ModelStep, NODE_TIMEOUT_MESSAGE } from '../domain/model-step.js';
import type { LlmNode } from '../domain/plan.js';
import { refusalFailure } from '../domain/refusal.js';
import { findRun } from '../store/read-runs.js';
import { appendNodeEvents } from '../store/run-events.js';
import { markDispatched } from '../store/run-steps.js';
import type { WorkItem } from '../store/work-item.js';
import { beginStep } from './begin-step.js';
import { DeltaWriter } from './delta-writer.js';
import { failStep, settleStep } from './end-step.js';

/**
 * One model call of a node: intent in the journal, hold at the ledger, `dispatched_at` committed, the call, and its
 * result with usage and cost in the node's transition. A throw means "try again later": the journal tells how.
 */
export async function runModelStep(ctx: Context, item: WorkItem, node: LlmNode, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const step = await beginStep(ctx, item, node);
  if (!step) return;
  const { staleRequestId, principal } = step;
  if (staleRequestId !== undefined) {
    await releaseHold(ctx.clients.billing, ctx.logger, { requestId: staleRequestId, principal });
  }
  const admitted = await admit(ctx, item, node, step);
  if (!admitted) return;
  const body = JSON.stringify(step.request);
  const { prices, admission } = admitted;
  const dispatch = { modelId: admission.modelId, prices, heldMicrocents: admission.heldMicrocents, llmRequest: body };
  if (signal.aborted || !(await markDispatched(ctx.pool, step.ref, item, dispatch))) return releaseIfOver(ctx, step);
  const remainingMs = step.remainingMs - (performance.now() - startedAt);
  await dispatchStep(ctx, { item, node, step, admitted, body, remainingMs, signal });
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
async function admit(ctx: Context, item: WorkItem, node: LlmNode, step: ModelStep): Promise<Admitted | undefined> {
  const outcome = await admitStep(ctx.clients.billing, ctx.catalog, step);
  if (outcome.kind === 'admitted') return outcome;
  const { code, message } = outcome;
  const failure = refusalFailure({ code, message });
  await failStep(ctx, { item, nodeId: node.id, step }, { failure, status: 'failed', errorCode: code });
  return undefined;
}

interface Dispatched {
  item: WorkItem;
  node: LlmNode;
  step: ModelStep;
  admitted: Admitted;
  body: string;
  remainingMs: number;
  signal: AbortSignal;
}

async function dispatchStep(ctx: Context, dispatched: Dispatched): Promise<void> {
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
      return failStep(ctx, at, { failure, status: 'failed', errorCode: failure.code, provider, cost, deltas: rest });
    }
    case 'timed_out': {
      // The call was cut off: what the provider had served by then is settled, but nobody told us.
      const failure = { code: 'RELAY_TIMEOUT', message: NODE_TIMEOUT_MESSAGE } as const;
      return failStep(ctx, at, { failure, status: 'ambiguous', errorCode: failure.code, deltas: rest });
    }
    case 'left':
      return;
    case 'lost':
      throw outcome.error;
  }
}

async function appendAndTell(
  ctx: Context,
  item: WorkItem,
  events: Parameters<typeof appendNodeEvents>[3],
): Promise<boolean> {
  const isOurs = await appendNodeEvents(ctx.pool, item.runId, item, events);
  if (isOurs) ctx.wakeUps.runChanged(item.runId, false);
  return isOurs;
}
