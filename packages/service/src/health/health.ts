import { type Clock, createLoop, type Logger, type Stoppable } from '@tollgate/runtime';
import { Dependency, type DependencyCheck, type DependencyReport } from './dependency.js';

/** `degraded`: it should get requests, and something that it uses does not work. */
export type HealthStatus = 'ready' | 'degraded' | 'unavailable';

export interface HealthReport {
  status: HealthStatus;
  /** Why the process should get no requests; empty unless it is unavailable. */
  reasons: readonly string[];
  dependencies: readonly DependencyReport[];
}

const CHECK_INTERVAL_MS = 2_000;

/**
 * The health of a process: what it depends on and whether it should get requests. Checks run in the background; a
 * report is read from memory, so that probes never load a dependency. The process is not ready only while it cannot
 * serve. A peer, Kafka or Redis that fails makes it degraded: all replicas share them, and taking all of them out of
 * rotation would turn the failure of one dependency into a full outage.
 */
export class Health implements Stoppable {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #dependencies: Dependency[] = [];
  readonly #conditions: (() => string | undefined)[] = [];
  readonly #running: Stoppable[] = [];
  #phase: 'starting' | 'started' | 'draining' = 'starting';
  #missing: string | undefined;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Adds a dependency. Call it before the start. */
  watch(check: DependencyCheck): void {
    this.#dependencies.push(new Dependency(check, this.#clock, this.#logger));
  }

  /** Adds a condition of readiness that is read at every probe: returns why the process cannot serve. */
  require(notReadyBecause: () => string | undefined): void {
    this.#conditions.push(notReadyBecause);
  }

  /** Says what the start waits for at the moment; undefined when it waits for nothing. */
  startsWithout(reason: string | undefined): void {
    this.#missing = reason;
  }

  /** Checks every dependency periodically until the stop. The process is not ready before. */
  start(): void {
    if (this.#phase === 'starting') this.#phase = 'started';
    for (const dependency of this.#dependencies) {
      const options = { name: `${dependency.name} check`, intervalMs: CHECK_INTERVAL_MS, logger: this.#logger };
      this.#running.push(createLoop({ ...options, run: () => dependency.refresh() }));
    }
  }

  /** Checks every dependency once. */
  async refresh(): Promise<void> {
    await Promise.all(this.#dependencies.map((dependency) => dependency.refresh()));
  }

  /** The process is about to stop: it is not ready from now on. */
  drain(): void {
    this.#phase = 'draining';
  }

  get report(): HealthReport {
    const reasons = this.#reasons();
    const dependencies = this.#dependencies.flatMap(({ report }) => report ?? []);
    const isWhole = dependencies.every(({ state }) => state === 'up');
    return { status: reasons.length > 0 ? 'unavailable' : isWhole ? 'ready' : 'degraded', reasons, dependencies };
  }

  /** Whether the last check of each dependency succeeded, once it was checked. */
  get answers(): { name: string; isAnswering: boolean }[] {
    const checked = this.#dependencies.filter(({ report }) => report !== undefined);
    return checked.map(({ name, isAnswering }) => ({ name, isAnswering }));
  }

  get notReadyBecause(): string | undefined {
    return this.#reasons()[0];
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((loop) => loop.stop()));
  }

  #reasons(): string[] {
    if (this.#phase === 'starting' && this.#missing !== undefined) return [this.#phase, this.#missing];
    if (this.#phase !== 'started') return [this.#phase];
    const conditions = this.#conditions.map((condition) => condition());
    const dependencies = this.#dependencies.map(({ notReadyBecause }) => notReadyBecause);
    return [...conditions, ...dependencies].filter((reason) => reason !== undefined);
  }
}
