import type { Logger } from '@tollgate/runtime';
import type { AttemptReport, ClaimedDelivery } from '../domain/webhooks/delivery.js';

/**
 * Logs one failed attempt in one line; a delivered one only at the level debug. Omits the URL's path and query, which may
 * hold secrets.
 */
export function logAttempt(logger: Logger, claim: ClaimedDelivery, report: AttemptReport): void {
  const { lease, endpoint, eventId, eventType, queuedAt } = claim;
  const { verdict } = report;
  const isDelivered = verdict.outcome === 'delivered';
  if (!logger.isLevelEnabled(isDelivered ? 'debug' : 'info')) return;
  logger[isDelivered ? 'debug' : 'info'](
    {
      project_id: endpoint.projectId,
      webhook_id: lease.webhookId,
      delivery_id: lease.deliveryId,
      event_id: eventId,
      event_type: eventType,
      endpoint_host: new URL(endpoint.url).host,
      round: lease.round,
      attempt: lease.attempt,
      outcome: report.isInterrupted ? 'interrupted' : verdict.outcome,
      response_status: report.responseStatus,
      latency_ms: report.latencyMs,
      since_queued_ms: report.startedAt.getTime() - queuedAt.getTime(),
      ...(verdict.outcome !== 'delivered' && { error: verdict.error }),
      ...(verdict.outcome === 'retry' && { retry_in_ms: verdict.delayMs }),
    },
    isDelivered ? 'webhook delivered' : 'webhook attempt failed',
  );
}
