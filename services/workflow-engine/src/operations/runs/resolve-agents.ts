import type { Fragment, ToolFailurePolicy, ToolRef } from '@tollgate/api';
import type { AgentSnapshot } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { AgentConfig, AgentDirectory } from '../../domain/compile/nodes/agent-config.js';
import { agentReferencesOf } from '../../domain/compile/nodes/agent-references.js';
import { limits } from '../../domain/limits.js';

/** Every agent that a spec names, those included that the agents' own fragments name. */
export function resolveAgents(ctx: Context, spec: unknown, call: Call): Promise<AgentDirectory> {
  return resolveAll(ctx, agentReferencesOf(spec), new Map(), call);
}

/** An agent under its pin, with all that its fragments name. */
export function resolveAround(ctx: Context, agent: AgentConfig, call: Call): Promise<AgentDirectory> {
  return resolveAll(ctx, namedBy(agent), new Map([[`${agent.slug}@${agent.revision}`, agent]]), call);
}

async function resolveAll(
  ctx: Context,
  references: readonly string[],
  known: Map<string, AgentConfig>,
  call: Call,
): Promise<AgentDirectory> {
  const asked = new Set(known.keys());
  let wanted = [...references];
  while (wanted.length > 0) {
    const unknown = [...new Set(wanted)].filter((reference) => !asked.has(reference));
    // Those beyond the bound stay unknown.
    const fresh = unknown.slice(0, Math.max(0, limits.agents - asked.size));
    for (const reference of fresh) asked.add(reference);
    const found = await Promise.all(fresh.map((reference) => resolveAgent(ctx, reference, call)));
    for (const [index, agent] of found.entries()) if (agent) known.set(fresh[index] as string, agent);
    wanted = found.flatMap((agent) => (agent ? namedBy(agent) : []));
  }
  return known;
}

/** `slug` or `slug@revision`; undefined when there is none. */
export async function resolveAgent(ctx: Context, reference: string, call: Call): Promise<AgentConfig | undefined> {
  try {
    const { snapshot } = await ctx.clients.agents.resolveAgent({ by: { case: 'reference', value: reference } }, call);
    return snapshot && configOf(snapshot);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Only fragments that are tools run. */
function namedBy({ tools, fragments }: AgentConfig): string[] {
  return tools.flatMap(({ fragment }) => (fragment ? agentReferencesOf(fragments[fragment.ref]) : []));
}

function configOf({ agent, version }: AgentSnapshot): AgentConfig {
  if (!agent || !version) throw new Error('the registry answered with half an agent');
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
