import { type Metrics, type MetricsRegistry, startMetricsPush } from '@tollgate/metrics';
import { type Stoppable, stopAll } from '@tollgate/runtime';
import type { ServiceConfig } from '../define-config.js';
import { type HealthPort, startHealthPort } from '../health/health-port.js';
import { observeProcess } from './observe-process.js';

/** The metrics of a process, served and sent. */
export interface PublishedMetrics extends Stoppable {
  /** Absent when the configuration names no port. */
  health: HealthPort | undefined;
}

/** Adds the series of the process to `metrics`, serves all of them on the health port, and sends them when that is set. */
export async function publishMetrics(
  registry: MetricsRegistry,
  metrics: Metrics,
  { health: { host, port }, sendsTelemetry }: Pick<ServiceConfig, 'health' | 'sendsTelemetry'>,
): Promise<PublishedMetrics> {
  const running: Stoppable[] = [observeProcess(metrics)];
  try {
    const health = port === undefined ? undefined : await startHealthPort({ host, port, metrics: registry });
    if (health) running.push(health);
    if (sendsTelemetry) running.push(await startMetricsPush(registry));
    return { health, stop: () => stopAll(...running) };
  } catch (error) {
    await stopAll(...running);
    throw error;
  }
}
