import { type eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import type { Agent } from '../../domain/agent.js';

/** The request that causes an event. */
export interface Origin {
  requestId: string;
  traceparent: string | undefined;
}

type AgentEventType = (typeof eventTypes)['agentCreated'];

export function agentEvent(type: AgentEventType, agent: Agent, origin: Origin, occurredAt: Date): OutboxEvent {
  const { id, projectId, slug, currentRevision } = agent;
  const { requestId, traceparent } = origin;
  const message = { agentId: id, projectId, slug, revision: currentRevision };
  return newEvent(type, { key: id, message, requestId, traceparent, occurredAt });
}
