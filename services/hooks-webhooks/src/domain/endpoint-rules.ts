import { parseUrl } from '@tollgate/runtime/parse-url';
import { isWebhookEventType, type WebhookEventType } from './webhooks/webhook-event.js';

export const ENDPOINT_URL_LENGTH_MAX = 2048;

export interface EndpointRules {
  /** Allows private addresses and plain http, for local development only. */
  allowPrivate: boolean;
}

/** Returns why the form of an endpoint's URL is invalid; undefined when it is valid. */
export function endpointUrlFault(url: string, rules: EndpointRules): string | undefined {
  if (url === '') return 'endpoint_url required';
  if (url.length > ENDPOINT_URL_LENGTH_MAX) return `endpoint_url is longer than ${ENDPOINT_URL_LENGTH_MAX} characters`;
  // The parser strips control characters, but the URL is stored as it was written.
  const parsed = /\p{Cc}/u.test(url) ? undefined : parseUrl(url);
  if (!parsed) return 'endpoint_url must be a valid URL';
  const { protocol, username, password } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return 'endpoint_url must use https';
  if (protocol === 'http:' && !rules.allowPrivate) return 'endpoint_url must use https';
  if (username !== '' || password !== '') return 'endpoint_url must not contain credentials';
  return undefined;
}

export type EventTypes = { ok: true; types: WebhookEventType[] } | { ok: false; fault: string };

/** Returns the subscribed types without duplicates, in the given order. */
export function parseEventTypes(events: readonly string[]): EventTypes {
  if (events.length === 0) return { ok: false, fault: 'events required' };
  const types: WebhookEventType[] = [];
  for (const event of new Set(events)) {
    if (!isWebhookEventType(event)) return { ok: false, fault: `unknown event type: ${event.slice(0, 64)}` };
    types.push(event);
  }
  return { ok: true, types };
}
