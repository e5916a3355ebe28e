import type { Stoppable } from '@tollgate/runtime';
import type { MetricsRegistry } from './metrics-registry.js';

export interface MetricsPushOptions {
  /** Default 60 s. */
  intervalMs?: number;
}

/**
 * Sends the metrics over OTLP until it is stopped, and once more then. OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME and
 * the other standard variables say where to and as what; OpenTelemetry reads them itself.
 */
export async function startMetricsPush(
  registry: MetricsRegistry,
  { intervalMs = 60_000 }: MetricsPushOptions = {},
): Promise<Stoppable> {
  const [{ OTLPMetricExporter }, resources, { MeterProvider, PeriodicExportingMetricReader }, { toResourceMetrics }] =
    await Promise.all([
      import('@opentelemetry/exporter-metrics-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-metrics'),
      import('./metric-data.js'),
    ]);
  const producer = {
    collect: async () => ({ resourceMetrics: toResourceMetrics(await registry.collect()), errors: [] }),
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(10_000, intervalMs),
    metricProducers: [producer],
  });
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new MeterProvider({ resource: resources.defaultResource().merge(detected), readers: [reader] });
  return { stop: () => provider.shutdown({ timeoutMillis: 5_000 }).catch(() => undefined) };
}
