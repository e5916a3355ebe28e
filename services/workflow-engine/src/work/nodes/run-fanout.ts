import type { Context } from '../../context.js';
import { failed, type Made, made } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import type { FanoutNode } from '../../domain/plan/plan.js';
import { childId } from '../../domain/plan/plan-tree.js';
import { spawnNodes, startNode } from '../../domain/run/run-transitions.js';
import { childrenOf } from '../../domain/run/run-tree.js';
import type { Json } from '../../domain/values/json.js';
import { readSource } from '../../domain/values/read-source.js';
import { itemArtifacts, loadOutputs } from '../../store/artifacts.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun, type RunChange } from '../change-run.js';
import { finishNode } from '../finish-node.js';
import { loadInputs } from '../load-inputs.js';

/**
 * A fan-out is taken up twice: first it makes a sub-node for each item and leaves the queue to them; when the last of
 * them has succeeded it gathers what they said, in the order of the items. Both are one transition each.
 */
export async function runFanout(ctx: Context, item: WorkItem, node: FanoutNode): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    startNode(change.draft, node.id);
    const children = childrenOf(change.draft, node.id).map(({ id }) => id);
    if (children.length > 0) return finishNode(change, node.id, await gather(change, children));
    const items = await itemsOf(change, node);
    if (!items.ok || items.value.length === 0)
      return finishNode(change, node.id, items.ok ? made({ results: [] }) : items);
    const fault = spawn(change, node, items.value);
    if (fault) await finishNode(change, node.id, fault);
  });
}

async function itemsOf(change: RunChange, node: FanoutNode): Promise<Made<Json[]>> {
  const inputs = await loadInputs(change, node.id, [node.items.from]);
  if (!inputs.ok) return inputs;
  const found = readSource(inputs.value, node.items);
  if (!found.ok) return found;
  const items = found.value;
  if (!Array.isArray(items)) return failed('INVALID_INPUT', 'the items of a fan-out are not an array');
  if (items.length <= node.max_items) return made(items);
  return failed('INVALID_INPUT', `the fan-out has ${items.length} items; at most ${node.max_items}`);
}

function spawn(change: RunChange, node: FanoutNode, items: readonly Json[]): Made<never> | undefined {
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

async function gather({ tx, run }: RunChange, children: readonly string[]): Promise<Made<Json>> {
  const outputs = await loadOutputs(tx, run.runId, children, limits.nodeInputBytes);
  if (!outputs.ok) return outputs;
  return made({ results: children.map((id) => outputs.value.get(id) as Json) });
}
