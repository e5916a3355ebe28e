import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError, type Audience, errorForAudience, toOpenAiError } from '@tollgate/errors';
import { type JsonObject, newOrderedId } from '@tollgate/runtime';
import { toChild } from '../../domain/realtime/json.js';
import { toStreamFailure } from '../../providers/openai/upstream-error.js';

/** How the client's WebSocket is closed. */
export interface Close {
  code: number;
  reason: string;
}

/** WebSocket close codes. */
export const CLOSE = { goingAway: 1001, refused: 1008, failed: 1011 } as const;

/** The `error` event of the vendor's dialect. */
export function toErrorEvent(error: AppError, eventId: string, audience: Audience): JsonObject {
  const shown = toOpenAiError(errorForAudience(error, audience));
  return { type: 'error', event_id: newOrderedId(), error: { ...shown, event_id: eventId || null } };
}

/** The event before a session is closed because of its time. */
export function toExpiry(message: string): JsonObject {
  const error = { type: 'invalid_request_error', code: 'session_expired', message, param: null, event_id: null };
  return { type: 'error', event_id: newOrderedId(), error };
}

/** A provider's messages about our account or key are never shown. */
export function withoutAccount(provider: ProviderId, event: JsonObject, audience: Audience): JsonObject {
  if (event.type !== 'error') return event;
  const { kind } = toStreamFailure(provider, event, undefined);
  const { code } = toChild(event, 'error');
  if (kind !== 'payment' && code !== 'invalid_api_key') return event;
  return toErrorEvent(new AppError('UPSTREAM_PAYMENT_REQUIRED', 'the provider refused the request'), '', audience);
}

/** Parts of output are passed on without being parsed: their type comes before any object, and no other type ends so. */
export function isDelta(text: string): boolean {
  return /^[^{}]*\{[^{}]*"type"\s*:\s*"response\.[a-z_.]+\.delta"/.test(text.slice(0, 400));
}
