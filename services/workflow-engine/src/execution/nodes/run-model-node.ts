import { startNode } from '../../domain/run/run-transitions.js';
import { changeHeldRun } from '../change-run.js';
import { leaveUnusedEarly } from '../model-steps/admit-early.js';
import { findFirstStep, type Move, nextMove } from '../model-steps/next-move.js';
import { runFirstStep, runModelStep, runStartedStep } from '../model-steps/run-model-step.js';
import { runToolCall } from '../tool-calls/run-tool-call.js';
import type { NodeRun, WorkContext } from '../work-context.js';
import { listNodeTools } from './list-node-tools.js';

/**
 * Resumes a node from its journal and makes one move after another until the node ends, waits for its client, or the
 * lease is lost. Every move commits its result together with the choice of the next move.
 */
export async function runModelNode(ctx: WorkContext, run: NodeRun): Promise<void> {
  if (!(await listNodeTools(ctx, run))) return;
  let move = await beginNode(ctx, run).finally(() => leaveUnusedEarly(ctx, run.item.runId, run.node.id));
  while (move) {
    move =
      move.kind === 'call'
        ? await runModelStep(ctx, { ...run, step: move.step })
        : await runToolCall(ctx, { ...run, task: move.task });
  }
}

async function beginNode(ctx: WorkContext, run: NodeRun): Promise<Move | undefined> {
  const { item, node } = run;
  const started = ctx.earlyAdmissions.takeStart({ runId: item.runId, nodeId: node.id });
  // Another holder of the work may have taken the attempt for lost.
  if (started && item.epoch === 1) return runStartedStep(ctx, run, started);
  const first = await findFirstStep(ctx, run);
  if (!first) return resume(ctx, run);
  return runFirstStep(ctx, { ...run, step: first }, () => resume(ctx, run));
}

function resume(ctx: WorkContext, run: NodeRun): Promise<Move | undefined> {
  return changeHeldRun(ctx, run.item, (change) => {
    startNode(change.draft, run.node.id);
    return nextMove(change, run);
  });
}
