import type { Context } from '../context.js';
import { failNode, failRun } from '../domain/run-transitions.js';
import type { WorkItem } from '../store/work-item.js';
import { changeRun } from './change-run.js';

/** The run's time is up, by the database's clock. */
export async function expireRun(ctx: Context, item: WorkItem): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async ({ draft }) => {
    const limitMs = draft.plan.execution.run_timeout_ms;
    failRun(draft, { code: 'RELAY_TIMEOUT', message: `the run did not end within ${limitMs} ms` });
  });
}

/** Nobody answered the node's tool calls in time. */
export async function expireWait(ctx: Context, item: WorkItem): Promise<void> {
  await changeRun(ctx, item.runId, { ...item, ends: true }, async ({ draft }) => {
    if (draft.nodes.get(item.nodeId)?.status !== 'waiting') return;
    const message = 'no results for the tool calls arrived in time';
    failNode(draft, item.nodeId, { code: 'TOOL_WAIT_TIMEOUT', message });
  });
}
