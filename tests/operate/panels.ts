import { dashboardExpressions } from '../deploy/monitoring/expressions.js';
import type { Prometheus } from './prometheus.js';

/** Values of the variables that Grafana replaces. */
const VARIABLES = [
  [/\[5m\]/g, '[30s]'],
  [/\$(route|service)/g, '.*'],
] as const;

/** Returns the queries of panels that return nothing, as `dashboard, panel: query`. */
export async function emptyPanels({ query }: Prometheus): Promise<string[]> {
  const results = await Promise.all(
    dashboardExpressions.map(async ({ where, expression }) => {
      const filled = VARIABLES.reduce((text, [pattern, value]) => text.replaceAll(pattern, value), expression);
      return (await query(filled)).length > 0 ? [] : [`${where}: ${expression}`];
    }),
  );
  return results.flat();
}
