import { ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions';
import { elapsed, type Span, startSpan } from '@tollgate/runtime';
import { openSecret, type SealedSecret } from '@tollgate/runtime/secret-box';
import type { EndpointAnswer } from '../../clients/endpoint-client.js';
import type { Context } from '../../context.js';
import type { AttemptReport, ClaimedDelivery, Endpoint } from '../../domain/webhooks/delivery.js';
import { judgeAttempt, retrySchedules } from '../../domain/webhooks/retry-policy.js';
import { signatureHeaders } from '../../domain/webhooks/signature.js';

type AttemptContext = Pick<Context, 'clock' | 'keyring' | 'endpoints' | 'logger'>;

export interface Notification {
  eventId: string;
  eventType: string;
  payload: Uint8Array;
  /** W3C context, for the endpoint. */
  traceparent?: string | undefined;
}

/** Makes one attempt with the stored bytes and a new signature. Never throws. */
export async function attemptDelivery(
  ctx: AttemptContext,
  claim: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptReport> {
  const { lease, endpoint } = claim;
  const startedAt = ctx.clock.now();
  const span = startSpan('webhook attempt', 'client', claim.traceparent, {
    'tollgate.webhook_id': lease.webhookId,
    'tollgate.event_id': claim.eventId,
    'tollgate.attempt': lease.attempt,
  });
  const notification = span ? { ...claim, traceparent: span.traceparent } : claim;
  const { answer, latencyMs } = await sendNotification(ctx, endpoint, notification, signal);
  endAttempt(span, answer);
  const schedule = retrySchedules[endpoint.retrySchedule];
  return {
    lease,
    verdict: judgeAttempt(schedule, lease.attempt, answer, ctx.clock.now()),
    isInterrupted: answer.kind === 'interrupted',
    responseStatus: answer.kind === 'answered' ? answer.status : undefined,
    latencyMs,
    startedAt,
  };
}

function endAttempt(span: Span | undefined, answer: EndpointAnswer): void {
  if (!span) return;
  if (answer.kind !== 'answered') span.fail(answer.kind);
  else {
    span.set({ [ATTR_HTTP_RESPONSE_STATUS_CODE]: answer.status });
    if (answer.status >= 300) span.fail(String(answer.status));
  }
  span.end();
}

export async function sendNotification(
  ctx: AttemptContext,
  endpoint: Endpoint,
  notification: Notification,
  signal: AbortSignal,
): Promise<{ answer: EndpointAnswer; latencyMs: number }> {
  const { eventId, eventType, payload, traceparent } = notification;
  const secret = readSecret(ctx, endpoint, endpoint.secret);
  if (secret === undefined) {
    return { answer: { kind: 'unreachable', error: 'the signing secret could not be read' }, latencyMs: 0 };
  }
  const now = ctx.clock.now();
  const { previousSecret } = endpoint;
  const isOverlap = previousSecret !== undefined && previousSecret.until > now;
  const previous = isOverlap ? readSecret(ctx, endpoint, previousSecret.secret) : undefined;
  const started = elapsed();
  const answer = await ctx.endpoints.post({
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      // Some firewalls reject requests without a user agent.
      'user-agent': 'Tollgate/1.0 (webhooks)',
      'x-service-event-type': eventType,
      'x-service-event-id': eventId,
      ...(traceparent !== undefined && { traceparent }),
      ...signatureHeaders(endpoint.signatureForm, secret, { eventId, payload, previousSecret: previous }, now),
    },
    body: payload,
    timeoutMs: retrySchedules[endpoint.retrySchedule].timeoutMs,
    signal,
  });
  return { answer, latencyMs: Math.round(elapsed() - started) };
}

/** Returns undefined when no key opens the secret; an operator may add the key before the retries end. */
function readSecret(
  ctx: Pick<Context, 'keyring' | 'logger'>,
  endpoint: Endpoint,
  secret: SealedSecret,
): string | undefined {
  try {
    return openSecret(ctx.keyring, secret, endpoint.webhookId);
  } catch (err) {
    ctx.logger.error({ err, webhook_id: endpoint.webhookId }, 'signing secret not opened');
    return undefined;
  }
}
