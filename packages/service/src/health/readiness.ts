import type { Metrics } from '@tollgate/metrics';
import type { NotReadyBecause } from './health-port.js';

/** Whether a service should get calls, from its start to its drain. */
export class Readiness {
  #state: 'starting' | 'started' | 'draining' = 'starting';
  #check: NotReadyBecause = () => undefined;

  start(check: NotReadyBecause = () => undefined): void {
    this.#state = 'started';
    this.#check = check;
  }

  drain(): void {
    this.#state = 'draining';
  }

  get notReadyBecause(): string | undefined {
    return this.#state === 'started' ? this.#check() : this.#state;
  }
}

/** Adds `tollgate_ready`. */
export function observeReadiness(metrics: Metrics, readiness: Readiness): void {
  metrics.observe({
    series: { ready: { name: 'tollgate_ready', help: '1 while the service should get calls.' } },
    read: () => ({ ready: readiness.notReadyBecause === undefined ? 1 : 0 }),
  });
}
