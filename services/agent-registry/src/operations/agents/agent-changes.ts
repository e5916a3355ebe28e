import { randomUUID } from 'node:crypto';
import { agentSlugSchema } from '@tollgate/api/runs';
import { AppError, invariant } from '@tollgate/errors';
import { eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import type { Context } from '../../context.js';
import type { Agent, AgentConfig, AgentProfile, AgentSnapshot, AgentVersion } from '../../domain/agent.js';
import { type AgentValues, newAgent, reviseAgent } from '../../domain/agent-values.js';
import { agentIssues } from '../../domain/config-issues.js';
import { findRevision, insertRevision } from '../../store/agent-revisions.js';
import { changeAgent, insertAgent, lockAgent, markAgentDeleted } from '../../store/agents.js';
import { appendEvent, type Tx } from '../../store/db.js';
import { notFound } from '../not-found.js';

interface CreateAgentCommand {
  projectId: string;
  slug: string;
  values: AgentValues;
}

/** @throws AppError VALIDATION_ERROR; CONFLICT when another agent of the project has the slug */
export async function createAgent(
  ctx: Pick<Context, 'clock' | 'prisma' | 'relay'>,
  { projectId, slug, values }: CreateAgentCommand,
  origin: Origin,
): Promise<AgentSnapshot> {
  checkSlug(slug);
  const { profile, config } = newAgent(values);
  checkAgent(profile, config);
  const now = ctx.clock.now();
  const agent: Agent = {
    id: randomUUID(),
    projectId,
    slug,
    ...profile,
    currentRevision: 1,
    createdAt: now,
    updatedAt: now,
  };
  const version = { revision: 1, config, createdAt: now };
  await ctx.prisma.$transaction(async (tx) => {
    if (!(await insertAgent(tx, agent)))
      throw new AppError('CONFLICT', `an agent with the slug ${slug} already exists`);
    await insertRevision(tx, agent.id, version);
    await appendEvent(tx, agentEvent(eventTypes.agentCreated, agent, origin, now));
  });
  ctx.relay.wake();
  return { agent, version };
}

function checkSlug(slug: string): void {
  const issue = agentSlugSchema.safeParse(slug).error?.issues[0];
  if (!issue) return;
  const { message } = issue;
  throw new AppError('VALIDATION_ERROR', `slug: ${message}`, { fields: [{ field: 'slug', message }] });
}

interface UpdateAgentCommand extends CreateAgentCommand {
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
    return applyChange(tx, { agent, version }, values, { origin, now: ctx.clock.now() });
  });
  ctx.relay.wake();
  return snapshot;
}

async function applyChange(
  tx: Tx,
  current: AgentSnapshot,
  values: AgentValues,
  { origin, now }: { origin: Origin; now: Date },
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

/** Frees the slug; keeps the revisions for runs that have pinned them. @throws AppError NOT_FOUND */
export async function deleteAgent(
  ctx: Pick<Context, 'clock' | 'prisma' | 'relay'>,
  projectId: string,
  slug: string,
  origin: Origin,
): Promise<void> {
  await ctx.prisma.$transaction(async (tx) => {
    const agent = await lockAgent(tx, projectId, slug);
    if (!agent) throw notFound('agent');
    const now = ctx.clock.now();
    await markAgentDeleted(tx, agent.id, now);
    await appendEvent(tx, agentEvent(eventTypes.agentDeleted, agent, origin, now));
  });
  ctx.relay.wake();
}

/** @throws AppError VALIDATION_ERROR listing every issue */
function checkAgent(profile: AgentProfile, config: AgentConfig): void {
  const issues = agentIssues(profile, config);
  const first = issues[0];
  if (!first) return;
  throw new AppError('VALIDATION_ERROR', `${first.field}: ${first.message}`, { fields: issues });
}

/** The request that causes an event. */
interface Origin {
  requestId: string;
  traceparent: string | undefined;
}

type AgentEventType = (typeof eventTypes)['agentCreated'];

function agentEvent(type: AgentEventType, agent: Agent, origin: Origin, occurredAt: Date): OutboxEvent {
  const { id, projectId, slug, currentRevision } = agent;
  const { requestId, traceparent } = origin;
  const message = { agentId: id, projectId, slug, revision: currentRevision };
  return newEvent(type, { key: id, message, requestId, traceparent, occurredAt });
}
