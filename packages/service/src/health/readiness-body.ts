import type { DependencyReport } from './dependency.js';
import type { HealthReport, HealthStatus } from './health.js';

/** The answer of `/readyz`. */
export interface ReadinessBody {
  status: HealthStatus;
  /** Why the process should get no requests. */
  reason?: string;
  dependencies?: readonly DependencyReport[];
  /** Instead of `dependencies`, where a process has several services. */
  services?: Record<string, Pick<HealthReport, 'status' | 'dependencies'>>;
}

function toReadinessBody({ status, reasons, dependencies }: HealthReport): ReadinessBody {
  return { status, ...(reasons.length > 0 && { reason: reasons.join('; ') }), dependencies };
}

const ORDER: readonly HealthStatus[] = ['ready', 'degraded', 'unavailable'];

/** Joins the services of a process: it is as ready as the least ready of them. */
export function toReadiness(services: ReadonlyMap<string, { report: HealthReport }>): ReadinessBody {
  const reports = [...services].map(([name, { report }]) => ({ name, ...report }));
  const [first, ...others] = reports;
  if (!first) return { status: 'unavailable', reason: 'starting' };
  if (others.length === 0) return toReadinessBody(first);
  const worst = Math.max(...reports.map(({ status }) => ORDER.indexOf(status)));
  const reasons = reports.flatMap(({ name, reasons: own }) => own.map((reason) => `${name}: ${reason}`));
  return {
    status: ORDER[worst] as HealthStatus,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
    services: Object.fromEntries(reports.map(({ name, status, dependencies }) => [name, { status, dependencies }])),
  };
}
