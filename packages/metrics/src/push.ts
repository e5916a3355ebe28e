import type { Stoppable } from '@tollgate/runtime';
import type { MetricsRegistry } from './metrics-registry.js';

export interface MetricsPushOptions {
  /** Default 60 s. */
  intervalMs?: number;
  /** Longest wait for the last export. Default 5 s. */
  stopMs?: number;
}

/**
 * Sends the metrics over OTLP until it is stopped, and a last time when it stops. OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_SERVICE_NAME and the other standard variables set the destination and the names; OpenTelemetry reads them
 * itself.
 */
export async function startMetricsPush(
  registry: MetricsRegistry,
  { intervalMs = 60_000, stopMs = 5_000 }: MetricsPushOptions = {},
): Promise<Stoppable> {
  const { pushMetrics } = await import('./otlp-push.js');
  return pushMetrics(registry, intervalMs, stopMs);
}
