import { failed, type Result } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import { placeSource } from '../../domain/plan/place-node.js';
import type { FragmentNode } from '../../domain/plan/plan.js';
import { childId } from '../../domain/plan/plan-tree.js';
import { spawnChildren, startNode } from '../../domain/run/run-transitions.js';
import { listChildren } from '../../domain/run/run-tree.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { evaluateOutputs } from '../../domain/values/evaluate.js';
import type { Json } from '../../domain/values/json.js';
import { loadOutputs } from '../../store/artifacts.js';
import { changeRun } from '../change-run.js';
import { finishNode } from '../outputs.js';
import type { RunChange } from '../run-change.js';
import type { WorkContext } from '../work-context.js';

/** Runs a fragment, in two transitions: one adds its nodes to the run, one collects its outputs when all have ended. */
export async function runFragment(ctx: WorkContext, item: WorkItem, node: FragmentNode): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    const { draft } = change;
    startNode(draft, node.id);
    if (listChildren(draft, node.id).length > 0) return finishNode(change, node.id, await readOutputs(change, node));
    const { nodes } = node.graph;
    if (draft.nodes.size + nodes.length > limits.runNodes) {
      const message = `a run has at most ${limits.runNodes} nodes, those of its fragments included`;
      return finishNode(change, node.id, failed('INVALID_INPUT', message));
    }
    spawnChildren(
      draft,
      node.id,
      nodes.map(({ id, type }) => ({ id: childId(node.id, id), type })),
    );
  });
}

async function readOutputs({ tx, run, draft }: RunChange, { id, graph }: FragmentNode): Promise<Result<Json>> {
  const placed = graph.outputs.map((output) => placeSource(output, id));
  const succeeded = placed.filter(({ from }) => draft.nodes.get(from)?.status === 'succeeded');
  const loaded = await loadOutputs(
    tx,
    run.runId,
    succeeded.map(({ from }) => from),
    limits.nodeInputBytes,
  );
  return loaded.ok ? evaluateOutputs(succeeded, loaded.value) : loaded;
}
