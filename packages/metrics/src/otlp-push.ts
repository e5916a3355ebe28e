import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Stoppable } from '@tollgate/runtime';
import { toResourceMetrics } from './metric-data.js';
import type { MetricsRegistry } from './metrics-registry.js';

/** Loaded by `startMetricsPush` only when metrics are sent: OpenTelemetry's SDK takes a while to load. */
export function pushMetrics(registry: MetricsRegistry, intervalMs: number, stopMs: number): Stoppable {
  const producer = {
    collect: async () => ({ resourceMetrics: toResourceMetrics(await registry.collect()), errors: [] }),
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(10_000, intervalMs),
    metricProducers: [producer],
  });
  const detected = detectResources({ detectors: [envDetector] });
  const provider = new MeterProvider({ resource: defaultResource().merge(detected), readers: [reader] });
  return { stop: () => provider.shutdown({ timeoutMillis: stopMs }).catch(() => undefined) };
}
