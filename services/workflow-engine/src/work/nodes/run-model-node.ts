import type { Context } from '../../context.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { startNode } from '../../domain/run/run-transitions.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun } from '../change-run.js';
import { type Move, nextMove } from '../model-steps/next-move.js';
import { runModelStep } from '../model-steps/run-model-step.js';
import { runToolCall } from '../tool-calls/run-tool-call.js';

/**
 * Takes the node up where its journal left it, and goes from move to move until it ends, waits for its client, or is
 * ours no more. Every move commits its own result together with what the next one is.
 */
export async function runModelNode(ctx: Context, item: WorkItem, node: ModelNode, signal: AbortSignal): Promise<void> {
  let move = await takeUp(ctx, item, node);
  while (move) {
    move =
      move.kind === 'call'
        ? await runModelStep(ctx, item, node, move.step, signal)
        : await runToolCall(ctx, item, node, move.task, signal);
  }
}

async function takeUp(ctx: Context, item: WorkItem, node: ModelNode): Promise<Move | undefined> {
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, async (change) => {
    startNode(change.draft, node.id);
    return nextMove(change, item, node);
  });
  return changed.outcome === 'done' ? changed.value : undefined;
}
