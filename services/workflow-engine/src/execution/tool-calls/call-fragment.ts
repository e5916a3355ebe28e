import { underscoredToolName } from '@tollgate/tools';
import { limits } from '../../domain/limits.js';
import type { ToolRoute } from '../../domain/plan/plan.js';
import { type FragmentCall, fragmentCallId, listAncestorIds } from '../../domain/plan/plan-tree.js';
import type { NodeState } from '../../domain/run/run-draft.js';
import { spawnChildren } from '../../domain/run/run-transitions.js';
import { fragmentInputs } from '../../domain/tools/fragment-inputs.js';
import { afterToolFailure, type ToolFailure } from '../../domain/tools/tool-failure.js';
import type { ToolTask } from '../../domain/tools/tool-task.js';
import { type Json, writeJson } from '../../domain/values/json.js';
import { itemArtifacts, loadOutputs } from '../../store/artifacts.js';
import { deleteAlarm, deleteWork, insertAlarm } from '../../store/queues/run-work.js';
import { changeHeldRun } from '../change-run.js';
import type { Move } from '../model-steps/next-move.js';
import type { RunChange } from '../run-change.js';
import type { ToolRun, WorkContext } from '../work-context.js';
import { type CallOutcome, settleCall } from './settle-call.js';

type FragmentRoute = Extract<ToolRoute, { to: 'fragment' }>;

/**
 * Runs a fragment that an agent calls as a tool, as a sub-node of the agent. The agent leaves the queue and resumes
 * when the fragment has ended; the fragment's outputs are then the result of the call.
 */
export function callFragment(ctx: WorkContext, run: ToolRun, route: FragmentRoute): Promise<Move | undefined> {
  return changeHeldRun(ctx, run.item, async (change) => {
    const tries = findTries(change, run.task);
    const last = tries.at(-1);
    const outcome = last && (await readOutcome(change, last, tries.length));
    const again = outcome?.failure && afterToolFailure(run.node, outcome.failure, outcome.attempt) === 'retry';
    if (outcome && !again) return settleCall(change, run, outcome);
    const refused = await start(change, run, route, tries.length);
    return refused && settleCall(change, run, refused);
  });
}

function toCall({ call, ref, position }: ToolTask, attempt: number): FragmentCall {
  return { tool: underscoredToolName(call.name), step: ref.step, position, attempt };
}

function findTries({ draft }: RunChange, task: ToolTask): NodeState[] {
  const tries: NodeState[] = [];
  for (;;) {
    const known = draft.nodes.get(fragmentCallId(task.ref.nodeId, toCall(task, tries.length)));
    if (!known) return tries;
    tries.push(known);
  }
}

async function readOutcome({ tx, run }: RunChange, call: NodeState, attempt: number): Promise<CallOutcome> {
  if (call.status !== 'succeeded') {
    const { code = 'SERVICE_UNAVAILABLE', message = 'the fragment was canceled' } = call.failure ?? {};
    return { failure: { code, message, isAnswer: false }, attempt };
  }
  const outputs = await loadOutputs(tx, run.runId, [call.id], limits.nodeInputBytes);
  if (!outputs.ok) return { failure: { ...outputs.failure, isAnswer: false }, attempt };
  return { output: writeJson(outputs.value.get(call.id) as Json), attempt };
}

/** Starts the fragment. Returns the outcome of the call when it cannot start. */
async function start(
  change: RunChange,
  { item, node, task }: ToolRun,
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
  if (draft.nodes.size > limits.runNodes || listAncestorIds(node.id).length > limits.nodeDepth) {
    return refuse({ code: 'INVALID_INPUT', message: 'the run has too many nodes for another fragment' }, false);
  }
  const inputs = fragmentInputs(graph, pointers, task.call.arguments);
  if (!inputs.ok) return refuse(inputs.failure, true);
  const callId = fragmentCallId(node.id, toCall(task, attempt));
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
