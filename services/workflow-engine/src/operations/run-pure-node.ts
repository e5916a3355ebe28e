import type { Context } from '../context.js';
import { evaluateNode } from '../domain/evaluate.js';
import { limits } from '../domain/limits.js';
import type { JoinNode, TransformNode } from '../domain/plan.js';
import { startNode } from '../domain/run-transitions.js';
import { loadOutputs } from '../store/artifacts.js';
import type { WorkItem } from '../store/work-item.js';
import { changeRun } from './change-run.js';
import { finishNode } from './finish-node.js';

/** A join or a transform has no effect outside the run: it begins and ends in one transition. */
export async function runPureNode(ctx: Context, item: WorkItem, node: JoinNode | TransformNode): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    startNode(change.draft, node.id);
    const inputs = await loadOutputs(change.tx, item.runId, node.after, limits.nodeInputBytes);
    await finishNode(change, node.id, inputs.ok ? evaluateNode(node, inputs.value) : inputs);
  });
}
