import type { Fragment, ToolFailurePolicy, ToolRef } from '@tollgate/api/runs';
import type { AgentSnapshot } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { AgentConfig, AgentDirectory } from '../../domain/compile/nodes/agent-config.js';
import { findAgentReferences } from '../../domain/compile/nodes/agent-references.js';
import { limits } from '../../domain/limits.js';

/** Resolves all agents that a spec names, including those in the agents' own fragments. */
export function resolveAgents(ctx: Pick<Context, 'clients'>, spec: unknown, call: Call): Promise<AgentDirectory> {
  return resolveAll(ctx, findAgentReferences(spec), new Map(), call);
}

/** Resolves all agents that an agent's fragments name, in addition to the agent itself. */
export function resolveAround(ctx: Pick<Context, 'clients'>, agent: AgentConfig, call: Call): Promise<AgentDirectory> {
  return resolveAll(ctx, referencedAgents(agent), new Map([[`${agent.slug}@${agent.revision}`, agent]]), call);
}

async function resolveAll(
  ctx: Pick<Context, 'clients'>,
  references: readonly string[],
  known: Map<string, AgentConfig>,
  call: Call,
): Promise<AgentDirectory> {
  const requested = new Set(known.keys());
  let wanted = [...references];
  while (wanted.length > 0) {
    const unknown = [...new Set(wanted)].filter((reference) => !requested.has(reference));
    // References beyond the limit are not resolved.
    const fresh = unknown.slice(0, Math.max(0, limits.agents - requested.size));
    for (const reference of fresh) requested.add(reference);
    const found = await Promise.all(fresh.map((reference) => resolveAgent(ctx, reference, call)));
    for (const [index, agent] of found.entries()) if (agent) known.set(fresh[index] as string, agent);
    wanted = found.flatMap((agent) => (agent ? referencedAgents(agent) : []));
  }
  return known;
}

/** Resolves `slug` or `slug@revision`; returns undefined when the agent does not exist. */
export async function resolveAgent(
  ctx: Pick<Context, 'clients'>,
  reference: string,
  call: Call,
): Promise<AgentConfig | undefined> {
  try {
    const { snapshot } = await ctx.clients.agents.resolveAgent({ by: { case: 'reference', value: reference } }, call);
    return snapshot && toConfig(snapshot);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Returns the agents in an agent's fragments. Only fragments that are tools can run. */
function referencedAgents({ tools, fragments }: AgentConfig): string[] {
  return tools.flatMap(({ fragment }) => (fragment ? findAgentReferences(fragments[fragment.ref]) : []));
}

function toConfig({ agent, version }: AgentSnapshot): AgentConfig {
  if (!agent || !version) throw new Error('the registry returned an incomplete agent');
  return {
    id: agent.id,
    slug: agent.slug,
    revision: version.revision,
    system: version.system,
    ...(version.model !== '' && { model: version.model }),
    tools: JSON.parse(version.toolsJson || '[]') as ToolRef[],
    fragments: JSON.parse(version.fragmentsJson || '{}') as Record<string, Fragment>,
    maxSteps: version.maxSteps,
    maxDurationSec: version.maxDurationSec,
    stepTimeoutSec: version.stepTimeoutSec,
    toolFailurePolicy: version.toolFailurePolicy as ToolFailurePolicy,
    toolRetryCount: version.toolRetryCount,
  };
}
