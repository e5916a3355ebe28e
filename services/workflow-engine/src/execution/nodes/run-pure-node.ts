import type { CaseSwitchNode, PureNode, TransformNode } from '../../domain/plan/plan.js';
import { startNode } from '../../domain/run/run-transitions.js';
import { arrivedAt } from '../../domain/run/run-tree.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { evaluateNode } from '../../domain/values/evaluate.js';
import { changeRunTogether } from '../change-run.js';
import { admitEarly } from '../model-steps/admit-early.js';
import { finishNode, loadInputs } from '../outputs.js';
import type { OpenRun } from '../run-change.js';
import type { WorkContext } from '../work-context.js';

/** Starts and ends a node that has no effect outside the run, in one transition. */
export async function runPureNode(ctx: WorkContext, item: WorkItem, node: PureNode): Promise<void> {
  const fence = { ...item, ends: true };
  await changeRunTogether(ctx, item.runId, fence, (open) => runThrough(open, node), admitEarly(ctx));
}

/** Starts the node and ends it with the inputs that are available now. */
export async function runThrough(open: OpenRun, node: PureNode): Promise<void> {
  startNode(open.draft, node.id);
  const arrived = isJoin(node) ? arrivedAt(open.draft, node) : [];
  const inputs = await loadInputs(open, node.id, isJoin(node) ? arrived : readReferences(node));
  await finishNode(open, node.id, inputs.ok ? evaluateNode(node, inputs.value, arrived) : inputs);
}

function isJoin(node: PureNode): node is Exclude<PureNode, CaseSwitchNode | TransformNode> {
  return node.type.startsWith('join.');
}

function readReferences(node: CaseSwitchNode | TransformNode): string[] {
  if (node.type === 'route.switch') return [node.source.from];
  const { transform } = node;
  switch (transform.form) {
    case 'pick':
      return [transform.source.from];
    case 'object':
      return transform.entries.map(({ source }) => source.from);
    case 'merge':
      return transform.sources.map(({ from }) => from);
  }
}
