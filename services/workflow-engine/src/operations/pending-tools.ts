import type { ResponseResource } from '@tollgate/api';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../context.js';
import { type PendingToolCall, pendingToolCalls } from '../domain/answer-reader.js';
import { readWaitingSteps } from '../store/read-runs.js';
import { requireRun } from './visible-run.js';

export interface PendingNode {
  nodeId: string;
  step: number;
  requestId: string;
  calls: PendingToolCall[];
}

/** Tool calls that wait for the client, by node in the order of the spec. */
export async function listPendingTools(ctx: Context, principal: Principal, runId: string): Promise<PendingNode[]> {
  await requireRun(ctx, principal, runId);
  const steps = await readWaitingSteps(ctx.prisma, runId);
  return steps.map(({ nodeId, step, requestId, llmResponse }) => ({
    nodeId,
    step,
    requestId,
    calls: pendingToolCalls(JSON.parse(llmResponse ?? '{"output":[]}') as ResponseResource),
  }));
}
