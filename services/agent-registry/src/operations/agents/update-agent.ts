import { AppError, invariant } from '@tollgate/errors';
import { eventTypes } from '@tollgate/events';
import type { Context } from '../../context.js';
import type { Agent, AgentSnapshot, AgentVersion } from '../../domain/agent.js';
import { type AgentValues, reviseAgent } from '../../domain/agent-values.js';
import { findRevision, insertRevision } from '../../store/agent-revisions.js';
import { changeAgent, lockAgent } from '../../store/agents.js';
import type { Tx } from '../../store/db.js';
import { appendEvent } from '../../store/outbox.js';
import { notFound } from '../not-found.js';
import { agentEvent, type Origin } from './agent-event.js';
import { checkAgent } from './check-agent.js';

export interface UpdateAgentCommand {
  projectId: string;
  slug: string;
  values: AgentValues;
  /** The revision that the change is based on; undefined = the current one. */
  expectedRevision: number | undefined;
}

/** @throws AppError NOT_FOUND; VALIDATION_ERROR; CONFLICT when the expected revision is not the current one */
export async function updateAgent(
  ctx: Pick<Context, 'clock' | 'prisma' | 'relay'>,
  command: UpdateAgentCommand,
  origin: Origin,
): Promise<AgentSnapshot> {
  const { projectId, slug, values, expectedRevision } = command;
  const snapshot = await ctx.prisma.$transaction(async (tx) => {
    const agent = await lockAgent(tx, projectId, slug);
    if (!agent) throw notFound('agent');
    if (expectedRevision !== undefined && expectedRevision !== agent.currentRevision) {
      throw new AppError('CONFLICT', `the current revision is ${agent.currentRevision}, not ${expectedRevision}`);
    }
    const version = await findRevision(tx, agent.id, agent.currentRevision);
    invariant(version, `agent ${agent.id} has no revision ${agent.currentRevision}`);
    // Reads the clock under the lock, so that times follow the order of changes.
    return applyChange(tx, { agent, version }, values, origin, ctx.clock.now());
  });
  ctx.relay.wake();
  return snapshot;
}

async function applyChange(
  tx: Tx,
  current: AgentSnapshot,
  values: AgentValues,
  origin: Origin,
  now: Date,
): Promise<AgentSnapshot> {
  const { profile, config, isProfileChanged, isConfigChanged } = reviseAgent(
    current.agent,
    current.version.config,
    values,
  );
  if (!isProfileChanged && !isConfigChanged) return current;
  checkAgent(profile, config);
  const version: AgentVersion = isConfigChanged
    ? { revision: current.version.revision + 1, config, createdAt: now }
    : current.version;
  if (isConfigChanged) await insertRevision(tx, current.agent.id, version);
  const change = { ...profile, currentRevision: version.revision, updatedAt: now };
  const agent: Agent = await changeAgent(tx, current.agent.id, change);
  const type = isConfigChanged ? eventTypes.agentRevised : eventTypes.agentUpdated;
  await appendEvent(tx, agentEvent(type, agent, origin, now));
  return { agent, version };
}
