import type { Metrics } from '@tollgate/metrics';
import type { Health } from '../health/health.js';

/** Adds `tollgate_ready` and `tollgate_dependency_up`. Both are read from memory: a scrape loads no dependency. */
export function observeHealth(metrics: Metrics, health: Health): void {
  metrics.observe({
    series: {
      ready: { name: 'tollgate_ready', help: '1 while the service should get calls.' },
      up: { name: 'tollgate_dependency_up', help: '1 while the dependency answers.', labels: ['dependency'] },
    },
    read: () => ({
      ready: Number(health.notReadyBecause === undefined),
      up: health.answers.map(({ name, isAnswering }) => ({ labels: { dependency: name }, value: Number(isAnswering) })),
    }),
  });
}
