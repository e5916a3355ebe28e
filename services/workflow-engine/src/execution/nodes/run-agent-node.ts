import { decodeMessage } from '@tollgate/contracts/codec';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import type { AgentNode } from '../../domain/plan/plan.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { memoryText } from '../../domain/step/agent-prompt.js';
import { hasMemory, memoryArtifact } from '../../store/agent-preamble.js';
import { loadPrincipal } from '../../store/runs/lock-run.js';
import { changeHeldRun } from '../change-run.js';
import type { WorkContext } from '../work-context.js';
import { runModelNode } from './run-model-node.js';

const MEMORY_TIMEOUT_MS = 10_000;

/** Runs an agent as a conversation whose system prompt contains the agent's memory. */
export async function runAgentNode(
  ctx: WorkContext,
  item: WorkItem,
  node: AgentNode,
  signal: AbortSignal,
): Promise<void> {
  if (await remember(ctx, item, node)) await runModelNode(ctx, { item, node, signal });
}

/**
 * Stores the agent's memory with the run before the first step, so that every step sees the same text even when the
 * memory is rewritten during the run. Returns false when the lease of the node is lost.
 */
async function remember(ctx: WorkContext, item: WorkItem, node: AgentNode): Promise<boolean> {
  const plan = await ctx.plans.load(ctx.pool, item.projectId, item.planHash);
  // A replay takes its requests from the recorded run.
  if (plan?.rehearsal?.replay_of !== undefined) return true;
  if (await hasMemory(ctx.pool, item.runId, node.id)) return true;
  const principal = decodeMessage(PrincipalSchema, await loadPrincipal(ctx.pool, item.runId));
  const call = startCall({ principal, timeoutMs: MEMORY_TIMEOUT_MS });
  const memory = await ctx.clients.toolState.readAgentMemory({ agentId: node.agent.id }, call);
  const isStored = await changeHeldRun(ctx, item, async ({ artifacts }) => {
    artifacts.push(memoryArtifact(node.id, memoryText(memory)));
    return true;
  });
  return isStored ?? false;
}
