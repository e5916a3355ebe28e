import { eventTypes } from '@tollgate/events';
import type { Context } from '../../context.js';
import { lockAgent, markAgentDeleted } from '../../store/agents.js';
import { appendEvent } from '../../store/outbox.js';
import { notFound } from '../not-found.js';
import { agentEvent, type Origin } from './agent-event.js';

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
