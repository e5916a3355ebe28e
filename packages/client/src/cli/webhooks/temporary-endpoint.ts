import { randomUUID } from 'node:crypto';
import type { Tollgate } from '../../client.js';
import type { Shell } from '../shell.js';
import type { Delivery } from './forward-deliveries.js';

type EventType = Delivery['event_type'];

/** A record, so that the compiler finds a missing type. */
const EVENT_TYPES: Record<EventType, true> = {
  'customer.created': true,
  'customer.updated': true,
  'customer.deleted': true,
  'usage.threshold_exceeded': true,
  'request.completed': true,
  'billing.subscription_changed': true,
  'billing.payment_succeeded': true,
  'billing.payment_refunded': true,
  'billing.payment_failed': true,
  'billing.dispute_opened': true,
  'account.admission_blocked': true,
};

/** A name that never exists (RFC 2606): the gateway sends nothing to an endpoint that is disabled. */
const ADDRESS = 'https://listener.invalid/';

/**
 * Creates an endpoint that is disabled: its events are kept for the listener and sent nowhere.
 */
export async function createTemporary(client: Tollgate, projectId: string, eventType: EventType | undefined) {
  const events = eventType === undefined ? Object.keys(EVENT_TYPES) : [eventType];
  const body = { endpoint_url: ADDRESS + randomUUID(), events, enabled: false };
  return (await client.createWebhook(projectId, body)).webhook;
}

/** Whether another listener has created the endpoint. */
export function isTemporary({ endpoint_url: url }: { endpoint_url: string }): boolean {
  return url.startsWith(ADDRESS);
}

/** Reports an endpoint that could not be removed. */
export async function removeTemporary(client: Tollgate, projectId: string, id: string, shell: Shell): Promise<void> {
  try {
    await client.deleteWebhook(projectId, id);
  } catch (error) {
    shell.inform(`the temporary endpoint ${id} was not removed: ${(error as Error).message}`);
  }
}
