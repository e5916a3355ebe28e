import type {
  GetWebhookStatisticsResponse,
  WebhookRecovery,
  WebhookStatistics,
} from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { toReportNumber } from '@tollgate/money';
import { timeJson } from '../customers/customer-json.js';

export function statisticsJson({ total, intervals }: GetWebhookStatisticsResponse) {
  return {
    total: figuresJson(total!),
    intervals: intervals.map((figures) => ({ at: timeJson(figures.at), ...figuresJson(figures) })),
  };
}

function figuresJson(figures: WebhookStatistics) {
  const { pending, processing, delivered, failed, latencyP50Ms, latencyP95Ms, latencyP99Ms } = figures;
  const ended = delivered + failed;
  return {
    deliveries: {
      pending: toReportNumber(pending),
      processing: toReportNumber(processing),
      delivered: toReportNumber(delivered),
      failed: toReportNumber(failed),
    },
    success_rate: ended === 0n ? null : Number(delivered) / Number(ended),
    latency_ms: { p50: latencyP50Ms, p95: latencyP95Ms, p99: latencyP99Ms },
  };
}

export function recoveryJson(recovery: WebhookRecovery | undefined) {
  const { id, webhookId, since, status, requeued, remaining, startedAt, endedAt } = recovery!;
  return {
    id,
    webhook_id: webhookId,
    since: timeJson(since),
    status,
    requeued,
    remaining,
    started_at: timeJson(startedAt),
    ended_at: endedAt && timeJson(endedAt),
  };
}
