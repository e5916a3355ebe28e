export { LATENCY_BUCKETS, SIZE_BUCKETS } from './buckets.js';
export { cached } from './cached.js';
export type {
  BoundCounter,
  BoundHistogram,
  Counter,
  Histogram,
  HistogramOptions,
  InstrumentOptions,
} from './instruments.js';
export type { Metrics } from './metrics.js';
export { MetricsRegistry, type MetricsRegistryOptions } from './metrics-registry.js';
export type { Observation, ObservedSeries, Reading } from './observation.js';
export { startMetricsPush } from './push.js';
export { countLeaseLosses, observeQueue, type QueueTotals } from './queue.js';
