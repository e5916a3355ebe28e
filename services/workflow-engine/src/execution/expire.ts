import { requireNode } from '../domain/plan/plan-tree.js';
import { failNode, failRun } from '../domain/run/run-transitions.js';
import { nodeTimeout } from '../domain/run/time-limit.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { insertAlarm } from '../store/queues/run-work.js';
import { changeRun } from './change-run.js';
import { runThrough } from './nodes/run-pure-node.js';
import { stopScheduler } from './nodes/run-scheduler.js';
import type { WorkContext } from './work-context.js';

/** Fails a run that has reached its time limit, by the database's clock. */
export async function expireRun(ctx: WorkContext, item: WorkItem): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async ({ draft }) => {
    const limitMs = draft.plan.execution.run_timeout_ms;
    failRun(draft, { code: 'RELAY_TIMEOUT', message: `the run did not end within ${limitMs} ms` });
  });
}

/** Fails a node whose tool calls the client did not answer in time. */
export async function expireWait(ctx: WorkContext, item: WorkItem): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async ({ draft }) => {
    if (draft.nodes.get(item.nodeId)?.status !== 'waiting') return;
    const message = 'no results for the tool calls arrived in time';
    failNode(draft, item.nodeId, { code: 'TOOL_WAIT_TIMEOUT', message });
  });
}

/**
 * Handles the deadline of a node that runs through sub-nodes; its own tool calls and model calls have separate limits.
 * A join.collect continues with the outputs that have arrived.
 */
export async function expireNode(ctx: WorkContext, item: WorkItem): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async (change) => {
    const { draft, tx, run } = change;
    const { nodeId } = item;
    const state = draft.nodes.get(nodeId);
    const node = requireNode(draft.plan, nodeId);
    if (node.type === 'join.collect') {
      if (state?.status === 'pending' && !state.isQueued) await runThrough(change, node);
      return;
    }
    if (state?.status !== 'running' || !state.deadlineAt) return;
    if (state.deadlineAt > draft.now) {
      await insertAlarm(tx, { ...run, nodeId, kind: 'node_deadline', at: state.deadlineAt });
      return;
    }
    if (node.type === 'agent.scheduler') await stopScheduler(change, node, 'timeout');
    else failNode(draft, nodeId, nodeTimeout(draft.plan, node));
  });
}
