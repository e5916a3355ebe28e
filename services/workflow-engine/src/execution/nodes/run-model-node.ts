import type { ModelNode } from '../../domain/plan/plan.js';
import { startNode } from '../../domain/run/run-transitions.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { changeHeldRun } from '../change-run.js';
import { leaveUnusedEarly } from '../model-steps/admit-early.js';
import { findFirstStep } from '../model-steps/find-first-step.js';
import { runFirstStep, runStartedStep } from '../model-steps/first-step.js';
import { type Move, nextMove } from '../model-steps/next-move.js';
import { runModelStep } from '../model-steps/run-model-step.js';
import { runToolCall } from '../tool-calls/run-tool-call.js';
import type { WorkContext } from '../work-context.js';
import { listNodeTools } from './list-node-tools.js';

/**
 * Resumes a node from its journal and makes one move after another until the node ends, waits for its client, or the
 * lease is lost. Every move commits its result together with the choice of the next move.
 */
export async function runModelNode(
  ctx: WorkContext,
  item: WorkItem,
  node: ModelNode,
  signal: AbortSignal,
): Promise<void> {
  if (!(await listNodeTools(ctx, item, node, signal))) return;
  let move = await beginNode(ctx, item, node, signal).finally(() => leaveUnusedEarly(ctx, item.runId, node.id));
  while (move) {
    move =
      move.kind === 'call'
        ? await runModelStep(ctx, item, node, move.step, signal)
        : await runToolCall(ctx, item, node, move.task, signal);
  }
}

async function beginNode(
  ctx: WorkContext,
  item: WorkItem,
  node: ModelNode,
  signal: AbortSignal,
): Promise<Move | undefined> {
  const started = ctx.earlyAdmissions.takeStart({ runId: item.runId, nodeId: node.id });
  // Another holder of the work may have taken the attempt for lost.
  if (started && item.epoch === 1) return runStartedStep(ctx, item, node, started, signal);
  const first = await findFirstStep(ctx, item, node);
  if (!first) return resume(ctx, item, node);
  return runFirstStep(ctx, item, node, first, signal, () => resume(ctx, item, node));
}

function resume(ctx: WorkContext, item: WorkItem, node: ModelNode): Promise<Move | undefined> {
  return changeHeldRun(ctx, item, (change) => {
    startNode(change.draft, node.id);
    return nextMove(change, item, node);
  });
}
