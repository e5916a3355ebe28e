import type { Tollgate } from '../../client.js';
import type { components } from '../../gen/schema.js';
import type { SignatureForm } from '../../webhooks.js';
import { SeenIds } from '../seen-ids.js';
import type { Shell } from '../shell.js';
import { signDelivery } from './sign-delivery.js';

export type Delivery = components['schemas']['WebhookDelivery'];

export interface Forwarding {
  client: Tollgate;
  projectId: string;
  webhookId: string;
  /** Where deliveries go. */
  target: string;
  secret: string;
  form: SignatureForm;
  eventType?: Delivery['event_type'] | undefined;
}

export interface Forwarded {
  delivery: Delivery;
  /** Of the local server; undefined when it did not answer. */
  status: number | undefined;
  error?: string;
}

const POLL_MS = 2_000;
const PAGE_ROWS = 50;
/** New deliveries of one poll; older ones are left out. */
const NEW_MAX = 1_000;
const FORWARD_TIMEOUT_MS = 30_000;

/**
 * Forwards the deliveries that the endpoint gets from now on, oldest first, until the shell is interrupted. `onReady` is
 * called when the present deliveries are known.
 */
export async function* forwardDeliveries(
  forwarding: Forwarding,
  shell: Shell,
  onReady: () => void,
): AsyncGenerator<Forwarded> {
  const seen = new SeenIds();
  for (const { id } of await listNew(forwarding, seen, shell.signal, PAGE_ROWS)) seen.add(id);
  onReady();
  while (!shell.signal.aborted) {
    await shell.pause(POLL_MS, shell.signal);
    for (const delivery of (await listNew(forwarding, seen, shell.signal, NEW_MAX)).reverse()) {
      seen.add(delivery.id);
      yield await forward(delivery, forwarding, shell);
    }
  }
}

/** Newest first, up to the first delivery that was seen. */
async function listNew(
  { client, projectId, webhookId, eventType }: Forwarding,
  seen: SeenIds,
  signal: AbortSignal,
  max: number,
): Promise<Delivery[]> {
  const query = { limit: PAGE_ROWS, event_type: eventType };
  const found: Delivery[] = [];
  for await (const delivery of client.listWebhookEvents(projectId, webhookId, query, { signal })) {
    if (seen.has(delivery.id) || found.length >= max) break;
    found.push(delivery);
  }
  return found;
}

async function forward(delivery: Delivery, { target, secret, form }: Forwarding, shell: Shell): Promise<Forwarded> {
  const payload = JSON.stringify(delivery.payload);
  const { event_id: eventId, event_type: eventType } = delivery;
  const seconds = Math.floor(shell.nowMs() / 1000);
  const headers = {
    'content-type': 'application/json',
    'x-service-event-type': eventType,
    'x-service-event-id': eventId,
    ...signDelivery(form, secret, { eventId, payload, seconds }),
  };
  const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
  try {
    const answer = await shell.fetch(target, { method: 'POST', headers, body: payload, redirect: 'manual', signal });
    await answer.body?.cancel();
    return { delivery, status: answer.status };
  } catch (error) {
    const { cause } = error as Error;
    const reason = (cause as { code?: string } | undefined)?.code ?? (error as Error).message;
    return { delivery, status: undefined, error: reason };
  }
}
