import { randomUUID } from 'node:crypto';
import { agentSlugSchema } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import { eventTypes } from '@tollgate/events';
import type { Context } from '../../context.js';
import type { Agent, AgentSnapshot } from '../../domain/agent.js';
import { type AgentValues, newAgent } from '../../domain/agent-values.js';
import { insertRevision } from '../../store/agent-revisions.js';
import { insertAgent } from '../../store/agents.js';
import { appendEvent } from '../../store/outbox.js';
import { agentEvent, type Origin } from './agent-event.js';
import { checkAgent } from './check-agent.js';

/** @throws AppError VALIDATION_ERROR; CONFLICT when another agent of the project has the slug */
export async function createAgent(
  ctx: Pick<Context, 'clock' | 'prisma' | 'relay'>,
  projectId: string,
  slug: string,
  values: AgentValues,
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
