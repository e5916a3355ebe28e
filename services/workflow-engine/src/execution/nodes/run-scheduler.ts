import { DONE_TOOL } from '../../domain/compile/nodes/agent-scheduler.js';
import { failed, ok, type RunFailure } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import type { SchedulerNode } from '../../domain/plan/plan.js';
import { scheduledId } from '../../domain/plan/plan-tree.js';
import { type NodeState, nodeState } from '../../domain/run/run-draft.js';
import { schedulerEvent } from '../../domain/run/run-event.js';
import { emit, failNode, spawnChildren, startNode } from '../../domain/run/run-transitions.js';
import { listChildren } from '../../domain/run/run-tree.js';
import {
  type AgentReport,
  coordinatorContext,
  currentRound,
  doneBy,
  type StopReason,
  toReport,
  workerContext,
  workerIds,
} from '../../domain/run/scheduler.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { isJsonObject, type Json } from '../../domain/values/json.js';
import { itemArtifacts, loadOutputs } from '../../store/artifacts.js';
import { deleteAlarm, insertAlarm } from '../../store/queues/run-work.js';
import { countSteps } from '../../store/steps/run-steps.js';
import { changeRun } from '../change-run.js';
import { finishNode } from '../outputs.js';
import type { RunChange } from '../run-change.js';
import type { WorkContext } from '../work-context.js';

/**
 * Runs a scheduler each time all of its agents have ended: it starts the first round, asks the coordinator about a
 * round, or follows the coordinator's decision. Each is one transition. The sub-nodes determine the current step.
 */
export async function runScheduler(ctx: WorkContext, item: WorkItem, node: SchedulerNode): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    const { draft } = change;
    startNode(draft, node.id);
    const children = listChildren(draft, node.id);
    const round = currentRound(children);
    if (round === 0) {
      const policy = node.policy;
      emit(draft, schedulerEvent('scheduler_started', node.id, { policy }));
      await setAlarm(change, node);
      return startRound(change, node, 1, []);
    }
    const coordinator = draft.nodes.get(scheduledId(node.id, { round }));
    return coordinator ? endRound(change, node, round, coordinator) : askCoordinator(change, node, round);
  });
}

async function setAlarm({ tx, run, draft }: RunChange, node: SchedulerNode): Promise<void> {
  const at = nodeState(draft, node.id).deadlineAt ?? draft.now;
  await insertAlarm(tx, { ...run, nodeId: node.id, kind: 'node_deadline', at });
}

async function startRound(change: RunChange, node: SchedulerNode, round: number, context: string[]): Promise<void> {
  emit(change.draft, schedulerEvent('scheduler_round_started', node.id, { round }));
  await spawn(change, node, workerIds(node, round), context);
}

async function askCoordinator(change: RunChange, node: SchedulerNode, round: number): Promise<void> {
  if (await hasUsedSteps(change, node)) return stopScheduler(change, node, 'max_steps');
  const reports = await readReports(change, node);
  if (!reports.ok) return finishNode(change, node.id, reports);
  const roundReports = reports.value.filter((report) => report.round === round);
  await spawn(change, node, [scheduledId(node.id, { round })], coordinatorContext(node, round, roundReports));
}

async function endRound(change: RunChange, node: SchedulerNode, round: number, coordinator: NodeState): Promise<void> {
  if (coordinator.status !== 'succeeded') {
    if (await hasUsedSteps(change, node)) return stopScheduler(change, node, 'max_steps');
    const failure = coordinator.failure ?? { code: 'SERVICE_UNAVAILABLE', message: 'the coordinator was canceled' };
    return stopScheduler(change, node, 'error', failure);
  }
  const loaded = await loadOutputs(change.tx, change.run.runId, [coordinator.id], limits.nodeInputBytes);
  if (!loaded.ok) return finishNode(change, node.id, loaded);
  const answer = loaded.value.get(coordinator.id) as Json;
  if (doneBy(answer, DONE_TOOL)) return stopScheduler(change, node, 'done');
  if (await hasUsedSteps(change, node)) return stopScheduler(change, node, 'max_steps');
  if (round >= node.policy.max_rounds) return stopScheduler(change, node, 'max_rounds');
  await startRound(change, node, round + 1, workerContext(round, answer));
}

async function hasUsedSteps({ tx, run }: RunChange, node: SchedulerNode): Promise<boolean> {
  return (await countSteps(tx, run.runId, node.id)) >= node.policy.max_steps;
}

async function spawn(
  change: RunChange,
  node: SchedulerNode,
  ids: readonly string[],
  context: readonly string[],
): Promise<void> {
  const { draft, artifacts } = change;
  if (draft.nodes.size + ids.length > limits.runNodes) {
    const message = `a run has at most ${limits.runNodes} nodes, those of its schedulers included`;
    return finishNode(change, node.id, failed('INVALID_INPUT', message));
  }
  const withContext = context.length === 0 ? [] : ids;
  const kept = itemArtifacts(
    withContext,
    withContext.map(() => [...context]),
    draft.keptBytes,
  );
  if (!kept.ok) return finishNode(change, node.id, kept);
  artifacts.push(...kept.value);
  spawnChildren(
    draft,
    node.id,
    ids.map((id) => ({ id, type: 'agent.run' })),
  );
}

/** Returns a report of every agent so far, in the order of the rounds. */
async function readReports({ tx, run, draft }: RunChange, node: SchedulerNode) {
  const workers = listChildren(draft, node.id).filter(({ id }) => !id.endsWith('_c'));
  const succeeded = workers.filter(({ status }) => status === 'succeeded').map(({ id }) => id);
  const outputs = await loadOutputs(tx, run.runId, succeeded, limits.nodeInputBytes);
  return outputs.ok ? ok(workers.map((state) => toReport(node, state, outputs.value.get(state.id)))) : outputs;
}

/**
 * Stops all agents and ends the node. Reaching a limit of the policy is not a failure: the node outputs the results so
 * far.
 */
export async function stopScheduler(
  change: RunChange,
  node: SchedulerNode,
  reason: StopReason,
  failure?: RunFailure,
): Promise<void> {
  const { tx, run, draft } = change;
  const rounds = currentRound(listChildren(draft, node.id));
  const steps = await countSteps(tx, run.runId, node.id);
  await deleteAlarm(tx, run.runId, node.id, 'node_deadline');
  emit(draft, schedulerEvent('scheduler_stopped', node.id, { reason, rounds, steps }));
  if (failure) return failNode(draft, node.id, failure);
  const reports = await readReports(change, node);
  const answer = await lastCoordinatorAnswer(change, node, rounds);
  await finishNode(
    change,
    node.id,
    reports.ok ? ok(toOutput({ reason, rounds, steps }, reports.value, answer)) : reports,
  );
}

async function lastCoordinatorAnswer(
  { tx, run, draft }: RunChange,
  node: SchedulerNode,
  rounds: number,
): Promise<Json | undefined> {
  for (let round = rounds; round > 0; round -= 1) {
    const id = scheduledId(node.id, { round });
    if (draft.nodes.get(id)?.status !== 'succeeded') continue;
    const loaded = await loadOutputs(tx, run.runId, [id], limits.nodeInputBytes);
    return loaded.ok ? loaded.value.get(id) : undefined;
  }
  return undefined;
}

function toOutput(
  end: { reason: StopReason; rounds: number; steps: number },
  agents: readonly AgentReport[],
  answer: Json | undefined,
): Json {
  const done = answer === undefined ? undefined : doneBy(answer, DONE_TOOL);
  return {
    ...end,
    ...(done && { result: done.result ?? done }),
    output: isJsonObject(answer) ? (answer.output ?? []) : [],
    agents: [...agents],
  };
}
