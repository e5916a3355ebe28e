import { setImmediate as turn } from 'node:timers/promises';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Family } from './family.js';
import { toResourceMetrics } from './metric-data.js';

const serializer = new PrometheusSerializer('', false, undefined, true, true);

/**
 * Returns the text that Prometheus scrapes. Yields to the event loop between families, so that a large page does not
 * block it.
 */
export async function toPrometheusText(families: readonly Family[]): Promise<string> {
  let text = '';
  for (const family of families) {
    if (family.points.length === 0) continue;
    text += serializer.serialize(toResourceMetrics([family]));
    await turn();
  }
  return text;
}
