import { AppError } from '@tollgate/errors';
import { checkUrl } from '@tollgate/safe-fetch';
import { type EndpointRules, endpointUrlFault, parseEventTypes } from '../domain/endpoint-rules.js';
import { RETRY_SCHEDULES, type RetryScheduleName } from '../domain/webhooks/delivery.js';
import { SIGNATURE_FORMS, type SignatureForm } from '../domain/webhooks/signature.js';
import type { WebhookEventType } from '../domain/webhooks/webhook-event.js';

/** Unchecked settings of a request; absent = not set. */
export interface SettingsInput {
  endpointUrl: string;
  events: readonly string[];
  signatureForm?: string | undefined;
  retrySchedule?: string | undefined;
}

export interface CheckedSettings {
  endpointUrl: string;
  eventTypes: WebhookEventType[];
  signatureForm: SignatureForm | undefined;
  retrySchedule: RetryScheduleName | undefined;
}

/** @throws AppError VALIDATION_ERROR naming the first invalid field */
export function readSettings(given: SettingsInput, rules: EndpointRules): CheckedSettings {
  const urlFault = endpointUrlFault(given.endpointUrl, rules);
  if (urlFault) throw invalid('endpoint_url', urlFault);
  // Checks the text only; the addresses of a host name are checked at every call.
  const refusal = checkUrl(given.endpointUrl, rules);
  if (refusal) throw invalid('endpoint_url', `endpoint_url is not allowed: ${refusal.message}`);
  const events = parseEventTypes(given.events);
  if (!events.ok) throw invalid('events', events.fault);
  return {
    endpointUrl: given.endpointUrl,
    eventTypes: events.types,
    signatureForm: requireOneOf('signature_form', given.signatureForm, SIGNATURE_FORMS),
    retrySchedule: requireOneOf('retry_schedule', given.retrySchedule, RETRY_SCHEDULES),
  };
}

export function requireOneOf<T extends string>(
  field: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw invalid(field, `${field} must be one of ${allowed.join(', ')}`);
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
