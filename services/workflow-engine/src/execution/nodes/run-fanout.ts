import { failed, ok, type Result } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import type { FanoutNode } from '../../domain/plan/plan.js';
import { childId } from '../../domain/plan/plan-tree.js';
import { spawnNodes, startNode } from '../../domain/run/run-transitions.js';
import { listChildren } from '../../domain/run/run-tree.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import type { Json } from '../../domain/values/json.js';
import { readSource } from '../../domain/values/read-source.js';
import { itemArtifacts, loadOutputs } from '../../store/artifacts.js';
import { changeRun } from '../change-run.js';
import { finishNode, loadInputs } from '../outputs.js';
import type { RunChange } from '../run-change.js';
import type { WorkContext } from '../work-context.js';

/**
 * Runs a fan-out, in two transitions. The first creates a sub-node for each item and takes the fan-out off the queue.
 * The second, when the last sub-node has succeeded, collects their outputs in the order of the items.
 */
export async function runFanout(ctx: WorkContext, item: WorkItem, node: FanoutNode): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    startNode(change.draft, node.id);
    const children = listChildren(change.draft, node.id).map(({ id }) => id);
    if (children.length > 0) return finishNode(change, node.id, await gather(change, children));
    const items = await readItems(change, node);
    if (!items.ok || items.value.length === 0)
      return finishNode(change, node.id, items.ok ? ok({ results: [] }) : items);
    const failure = spawn(change, node, items.value);
    if (failure) await finishNode(change, node.id, failure);
  });
}

async function readItems(change: RunChange, node: FanoutNode): Promise<Result<Json[]>> {
  const inputs = await loadInputs(change, node.id, [node.items.from]);
  if (!inputs.ok) return inputs;
  const found = readSource(inputs.value, node.items);
  if (!found.ok) return found;
  const items = found.value;
  if (!Array.isArray(items)) return failed('INVALID_INPUT', 'the items of a fan-out are not an array');
  if (items.length <= node.max_items) return ok(items);
  return failed('INVALID_INPUT', `the fan-out has ${items.length} items; at most ${node.max_items}`);
}

function spawn(change: RunChange, node: FanoutNode, items: readonly Json[]): Result<never> | undefined {
  const { draft, artifacts } = change;
  if (draft.nodes.size + items.length > limits.runNodes) {
    return failed('INVALID_INPUT', `a run has at most ${limits.runNodes} nodes, those of its fan-outs included`);
  }
  const ids = items.map((_, index) => childId(node.id, index));
  const kept = itemArtifacts(ids, items, draft.keptBytes);
  if (!kept.ok) return kept;
  artifacts.push(...kept.value);
  spawnNodes(
    draft,
    node.id,
    items.map(() => node.subnode.type),
  );
  return undefined;
}

async function gather({ tx, run }: RunChange, children: readonly string[]): Promise<Result<Json>> {
  const outputs = await loadOutputs(tx, run.runId, children, limits.nodeInputBytes);
  if (!outputs.ok) return outputs;
  return ok({ results: children.map((id) => outputs.value.get(id) as Json) });
}
