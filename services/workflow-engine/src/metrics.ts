import { countLeaseLosses, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import type { RunStatus } from './domain/run/status.js';

/** The instruments of the engine. */
export type EngineMetrics = ReturnType<typeof createEngineMetrics>;

/** Runs take longer than calls: up to a day. */
const RUN_BUCKETS = [...LATENCY_BUCKETS, 900, 3_600, 14_400, 86_400];
export const QUEUE = 'runs';
export const BACKGROUND_QUEUE = 'background';

export function createEngineMetrics(metrics: Metrics) {
  const ended = metrics.counter({ name: 'tollgate_runs_ended_total', help: 'Runs that ended.', labels: ['status'] });
  const duration = metrics.histogram({
    name: 'tollgate_run_duration_seconds',
    help: 'Time from the start of a run to its end.',
    labels: ['status'],
    buckets: RUN_BUCKETS,
  });
  return {
    runEnded(status: RunStatus, seconds: number) {
      ended.add({ status });
      duration.record({ status }, seconds);
    },
    leaseLost: countLeaseLosses(metrics, QUEUE),
  };
}
