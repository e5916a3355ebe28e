import type { Context } from '../../context.js';
import { DONE_TOOL } from '../../domain/compile/nodes/agent-scheduler.js';
import { failed, made, type RunFailure } from '../../domain/failure.js';
import { limits } from '../../domain/limits.js';
import type { SchedulerNode } from '../../domain/plan/plan.js';
import { scheduledId } from '../../domain/plan/plan-tree.js';
import { type NodeState, nodeState } from '../../domain/run/run-draft.js';
import { schedulerEvent } from '../../domain/run/run-event.js';
import { failNode, spawnChildren, startNode, tell } from '../../domain/run/run-transitions.js';
import { childrenOf } from '../../domain/run/run-tree.js';
import {
  type AgentReport,
  answerIn,
  coordinatorContext,
  doneBy,
  reportOf,
  roundOf,
  type StopReason,
  workerContext,
  workersOf,
} from '../../domain/run/scheduler.js';
import type { Json } from '../../domain/values/json.js';
import { itemArtifacts, loadOutputs } from '../../store/artifacts.js';
import { countSteps } from '../../store/run-steps.js';
import { deleteAlarm, insertAlarm } from '../../store/run-work.js';
import type { WorkItem } from '../../store/work-item.js';
import { changeRun, type RunChange } from '../change-run.js';
import { finishNode } from '../finish-node.js';

/**
 * A scheduler is taken up whenever all of its agents have ended: to begin with the first round, to hear the coordinator
 * about a round, and to go on as it says. Each is one transition; where the scheduler stands is told by its sub-nodes.
 */
export async function runScheduler(ctx: Context, item: WorkItem, node: SchedulerNode): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    const { draft } = change;
    startNode(draft, node.id);
    const children = childrenOf(draft, node.id);
    const round = roundOf(children);
    if (round === 0) {
      const policy = node.policy;
      tell(draft, schedulerEvent('scheduler_started', node.id, { policy }));
      await setAlarm(change, node);
      return beginRound(change, node, 1, []);
    }
    const coordinator = draft.nodes.get(scheduledId(node.id, { round }));
    return coordinator ? endRound(change, node, round, coordinator) : askCoordinator(change, node, round);
  });
}

async function setAlarm({ tx, run, draft }: RunChange, node: SchedulerNode): Promise<void> {
  const at = nodeState(draft, node.id).deadlineAt ?? draft.now;
  await insertAlarm(tx, { ...run, nodeId: node.id, kind: 'node_deadline', at });
}

async function beginRound(change: RunChange, node: SchedulerNode, round: number, context: string[]): Promise<void> {
  tell(change.draft, schedulerEvent('scheduler_round_started', node.id, { round }));
  await spawn(change, node, workersOf(node, round), context);
}

async function askCoordinator(change: RunChange, node: SchedulerNode, round: number): Promise<void> {
  if (await isSpent(change, node)) return stopScheduler(change, node, 'max_steps');
  const reports = await reportsOf(change, node);
  if (!reports.ok) return finishNode(change, node.id, reports);
  const ofRound = reports.value.filter((report) => report.round === round);
  await spawn(change, node, [scheduledId(node.id, { round })], coordinatorContext(node, round, ofRound));
}

async function endRound(change: RunChange, node: SchedulerNode, round: number, coordinator: NodeState): Promise<void> {
  if (coordinator.status !== 'succeeded') {
    if (await isSpent(change, node)) return stopScheduler(change, node, 'max_steps');
    const failure = coordinator.failure ?? { code: 'SERVICE_UNAVAILABLE', message: 'the coordinator was given up' };
    return stopScheduler(change, node, 'error', failure);
  }
  const loaded = await loadOutputs(change.tx, change.run.runId, [coordinator.id], limits.nodeInputBytes);
  if (!loaded.ok) return finishNode(change, node.id, loaded);
  const said = loaded.value.get(coordinator.id) as Json;
  if (doneBy(said, DONE_TOOL)) return stopScheduler(change, node, 'done');
  if (await isSpent(change, node)) return stopScheduler(change, node, 'max_steps');
  if (round >= node.policy.max_rounds) return stopScheduler(change, node, 'max_rounds');
  await beginRound(change, node, round + 1, workerContext(round, said));
}

async function isSpent({ tx, run }: RunChange, node: SchedulerNode): Promise<boolean> {
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
  const told = context.length === 0 ? [] : ids;
  const kept = itemArtifacts(
    told,
    told.map(() => [...context]),
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

/** What every agent has come to so far, in the order of the rounds. */
async function reportsOf({ tx, run, draft }: RunChange, node: SchedulerNode) {
  const workers = childrenOf(draft, node.id).filter(({ id }) => !id.endsWith('_c'));
  const succeeded = workers.filter(({ status }) => status === 'succeeded').map(({ id }) => id);
  const outputs = await loadOutputs(tx, run.runId, succeeded, limits.nodeInputBytes);
  return outputs.ok ? made(workers.map((state) => reportOf(node, state, outputs.value.get(state.id)))) : outputs;
}

/** Ends the work of all agents. Reaching a limit of the policy is no failure: what came out by then is the output. */
export async function stopScheduler(
  change: RunChange,
  node: SchedulerNode,
  reason: StopReason,
  failure?: RunFailure,
): Promise<void> {
  const { tx, run, draft } = change;
  const rounds = roundOf(childrenOf(draft, node.id));
  const steps = await countSteps(tx, run.runId, node.id);
  await deleteAlarm(tx, run.runId, node.id, 'node_deadline');
  tell(draft, schedulerEvent('scheduler_stopped', node.id, { reason, rounds, steps }));
  if (failure) return failNode(draft, node.id, failure);
  const reports = await reportsOf(change, node);
  const said = await lastWord(change, node, rounds);
  await finishNode(
    change,
    node.id,
    reports.ok ? made(outputOf({ reason, rounds, steps }, reports.value, said)) : reports,
  );
}

/** What the coordinator said last. */
async function lastWord({ tx, run, draft }: RunChange, node: SchedulerNode, rounds: number): Promise<Json | undefined> {
  for (let round = rounds; round > 0; round -= 1) {
    const id = scheduledId(node.id, { round });
    if (draft.nodes.get(id)?.status !== 'succeeded') continue;
    const loaded = await loadOutputs(tx, run.runId, [id], limits.nodeInputBytes);
    return loaded.ok ? loaded.value.get(id) : undefined;
  }
  return undefined;
}

function outputOf(
  facts: { reason: StopReason; rounds: number; steps: number },
  agents: readonly AgentReport[],
  said: Json | undefined,
): Json {
  const done = said === undefined ? undefined : doneBy(said, DONE_TOOL);
  return {
    ...facts,
    ...(done && { result: done.result ?? done }),
    output: (said === undefined ? [] : answerIn(said).output) as unknown as Json,
    agents: agents as unknown as Json,
  };
}
