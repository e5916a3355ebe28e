import { type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
  type Histogram as OtelHistogram,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { systemClock } from '@tollgate/runtime';
import type { Family, HistogramValue, Labels } from './family.js';

/** Everything counts from the start of the process. */
const START = toHrTime(performance.timeOrigin);

/** Converts families to OpenTelemetry's data model. */
export function toResourceMetrics(families: readonly Family[]): ResourceMetrics {
  const endTime = toHrTime(systemClock.nowMs());
  const metrics = families.filter(({ points }) => points.length > 0).map((family) => toMetricData(family, endTime));
  return { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'tollgate' }, metrics }] };
}

function toMetricData({ name, help, kind, points }: Family, endTime: HrTime): MetricData {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const times = { startTime: START, endTime };
  if (kind === 'histogram') {
    const dataPoints: DataPoint<OtelHistogram>[] = points.map(({ labels, value }) => ({
      ...times,
      attributes: toAttributes(labels),
      value: toHistogram(value as HistogramValue),
    }));
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = points.map(({ labels, value }) => ({
    ...times,
    attributes: toAttributes(labels),
    value: value as number,
  }));
  if (kind === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

/** Leaves out labels without a value: the series does not have them. */
function toAttributes(labels: Labels): Labels {
  const given = Object.entries(labels).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

function toHistogram({ buckets, counts, sum, count }: HistogramValue): OtelHistogram {
  return { buckets: { boundaries: [...buckets], counts: [...counts] }, sum, count };
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
