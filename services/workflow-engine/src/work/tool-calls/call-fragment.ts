import { underscoredToolName } from '@tollgate/tools';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import type { AgentNode, ModelNode, ToolRoute } from '../../domain/plan/plan.js';
import { ancestorIdsOf, type FragmentCall, fragmentCallId } from '../../domain/plan/plan-tree.js';
import type { NodeState } from '../../domain/run/run-draft.js';
import { spawnChildren } from '../../domain/run/run-transitions.js';
import { fragmentInputs } from '../../domain/tools/fragment-inputs.js';
import { afterToolFailure, type ToolFailure } from '../../domain/tools/tool-failure.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { itemArtifacts, loadOutputs } from '../../store/artifacts.js';
import { deleteAlarm, deleteWork, insertAlarm } from '../../store/run-work.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun, type RunChange } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import { type CallOutcome, settleCall } from './settle-call.js';

type FragmentRoute = Extract<ToolRoute, { to: 'fragment' }>;

/**
 * A fragment that an agent calls as a tool runs as a sub-node of the agent. The agent leaves the queue to it and is taken
 * up again when it has ended; then its outputs are the result of the call.
 */
export async function callFragment(
  ctx: Context,
  item: WorkItem,
  node: ModelNode,
  task: ToolTask,
  route: FragmentRoute,
): Promise<Move | undefined> {
  const changed = await changeRun(ctx, item.runId, { ...item, ends: false }, async (change) => {
    const tries = triesOf(change, task);
    const last = tries.at(-1);
    const outcome = last && (await outcomeOf(change, last, tries.length));
    const again = outcome?.failure && afterToolFailure(node, outcome.failure, outcome.attempt) === 'retry';
    if (outcome && !again) return settleCall(change, item, node, task, outcome);
    const refused = await begin(change, item, node as AgentNode, task, route, tries.length);
    return refused && settleCall(change, item, node, task, refused);
  });
  return changed.outcome === 'done' ? changed.value : undefined;
}

function callOf({ call, ref, position }: ToolTask, attempt: number): FragmentCall {
  return { tool: underscoredToolName(call.name), step: ref.step, position, attempt };
}

function triesOf({ draft }: RunChange, task: ToolTask): NodeState[] {
  const tries: NodeState[] = [];
  for (;;) {
    const known = draft.nodes.get(fragmentCallId(task.ref.nodeId, callOf(task, tries.length)));
    if (!known) return tries;
    tries.push(known);
  }
}

async function outcomeOf({ tx, run }: RunChange, call: NodeState, attempt: number): Promise<CallOutcome> {
  if (call.status !== 'succeeded') {
    const { code = 'SERVICE_UNAVAILABLE', message = 'the fragment was given up' } = call.failure ?? {};
    return { failure: { code, message, isAnswer: false }, attempt };
  }
  const outputs = await loadOutputs(tx, run.runId, [call.id], limits.nodeInputBytes);
  if (!outputs.ok) return { failure: { ...outputs.failure, isAnswer: false }, attempt };
  return { output: JSON.stringify(outputs.value.get(call.id)), attempt };
}

/** Why the call cannot begin; undefined when it has. */
async function begin(
  change: RunChange,
  item: WorkItem,
  node: AgentNode,
  task: ToolTask,
  { key, inputs: pointers }: FragmentRoute,
  attempt: number,
): Promise<CallOutcome | undefined> {
  const { draft, artifacts, tx, run } = change;
  const graph = draft.plan.fragments?.[key];
  if (!graph) throw new Error(`the plan has no fragment ${key}`);
  const refuse = (failure: Omit<ToolFailure, 'isAnswer'>, isAnswer: boolean): CallOutcome => ({
    failure: { ...failure, isAnswer },
    attempt: Number.POSITIVE_INFINITY,
  });
  if (draft.nodes.size > limits.runNodes || ancestorIdsOf(node.id).length > limits.nodeDepth) {
    return refuse({ code: 'INVALID_INPUT', message: 'the run has too many nodes for another fragment' }, false);
  }
  const inputs = fragmentInputs(graph, pointers, task.call.arguments);
  if (!inputs.ok) return refuse(inputs.failure, true);
  const callId = fragmentCallId(node.id, callOf(task, attempt));
  const kept = itemArtifacts([callId], [inputs.value], draft.keptBytes);
  if (!kept.ok) return refuse(kept.failure, false);
  artifacts.push(...kept.value);
  await deleteWork(tx, item);
  spawnChildren(draft, node.id, [{ id: callId, type: 'fragment' }]);
  await deleteAlarm(tx, run.runId, node.id, 'node_deadline');
  const at = draft.nodes.get(node.id)?.deadlineAt ?? draft.now;
  await insertAlarm(tx, { ...run, nodeId: node.id, kind: 'node_deadline', at });
  return undefined;
}
