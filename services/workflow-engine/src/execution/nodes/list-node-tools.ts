import { decodeMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isAppError } from '@tollgate/errors';
import { listMcpTools } from '../../clients/mcp-listings.js';
import type { RunFailure } from '../../domain/failure.js';
import type { ModelNode } from '../../domain/plan/plan.js';
import { failNode, startNode } from '../../domain/run/run-transitions.js';
import { visibleFailure } from '../../domain/step/refusal.js';
import type { McpToolset } from '../../domain/tools/mcp-tools.js';
import { afterToolFailure, type ToolFailure } from '../../domain/tools/tool-failure.js';
import { loadMcpTools, mcpToolsArtifacts } from '../../store/artifacts.js';
import { loadPrincipal } from '../../store/runs/lock-run.js';
import { changeHeldRun } from '../change-run.js';
import type { NodeRun, WorkContext } from '../work-context.js';
import { PeerUnavailable } from '../work-pool.js';

const LIST_TIMEOUT_MS = 60_000;

/**
 * Stores the tools of the node's MCP servers with the run before the first step, so that every step offers the same tools
 * even when a server changes them. A server that cannot be used fails the node, unless the agent's policy continues after
 * failures: then the agent works without the server's tools. Returns false when the node must not continue.
 */
export async function listNodeTools(ctx: WorkContext, { item, node, signal }: NodeRun): Promise<boolean> {
  if (!node.mcp_servers) return true;
  const plan = await ctx.plans.load(ctx.pool, item.projectId, item.planHash);
  // A replay takes its requests from the recorded run.
  if (plan?.rehearsal?.replay_of !== undefined) return true;
  if (await loadMcpTools(ctx.pool, item.runId, node.id)) return true;
  const principal = decodeMessage(PrincipalSchema, await loadPrincipal(ctx.pool, item.runId));
  const timeoutMs = node.type === 'agent.run' ? Math.min(node.step_timeout_ms, LIST_TIMEOUT_MS) : LIST_TIMEOUT_MS;
  const by = { principal, traceparent: undefined, timeoutMs, signal };
  const { tools, stop } = await list(ctx, node, node.mcp_servers, by);
  const stored = await changeHeldRun(ctx, item, async ({ db, draft, artifacts }) => {
    const at = { runId: item.runId, nodeId: node.id };
    const kept = await mcpToolsArtifacts(db, at, tools, draft.keptBytes);
    const failure = stop && visibleFailure(stop, principal.kind === PrincipalKind.CUSTOMER);
    if (kept.ok && !failure) {
      artifacts.push(...kept.value);
      return true;
    }
    startNode(draft, node.id);
    failNode(draft, node.id, failure ?? (kept as { failure: RunFailure }).failure);
    return false;
  });
  return stored ?? false;
}

/** Lists the tools, again after failures when the agent's policy says so. `stop`: the failure that fails the node. */
async function list(
  { clients }: Pick<WorkContext, 'clients'>,
  node: ModelNode,
  servers: readonly string[],
  by: Parameters<typeof listMcpTools>[2],
): Promise<{ tools: McpToolset; stop: RunFailure | undefined }> {
  for (let attempt = 1; ; attempt += 1) {
    const { tools, failures } = await listMcpTools(clients.tools, servers, by).catch(throwUnavailable);
    const follow = (failure: ToolFailure) => afterToolFailure(node, failure, attempt);
    const stop = failures.find((failure) => follow(failure) === 'stop');
    if (stop || !failures.some((failure) => follow(failure) === 'retry')) return { tools, stop };
  }
}

/** The node waits for a service that is not there. */
function throwUnavailable(error: unknown): never {
  const isWait = isAppError(error) && error.retryable;
  throw isWait ? new PeerUnavailable('the tools of MCP servers were not listed', { cause: error }) : error;
}
