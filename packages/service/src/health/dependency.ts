import { type Clock, LATE, type Logger, within } from '@tollgate/runtime';
import { toReason } from './reason.js';

/** `degraded`: it works in part, or it has failed only for a moment. */
export type DependencyState = 'up' | 'degraded' | 'down';

export interface DependencyReport {
  /** In kebab case, as in the labels of metrics: `database`, `kafka`, `billing-ledger`. */
  name: string;
  state: DependencyState;
  /** Why it is not up. Contains no address and no secret. */
  reason?: string;
  /** When the state began. */
  since: Date;
}

export interface DependencyCheck {
  name: string;
  /** True: without it the service cannot serve, so the process is not ready while it is down. Default false. */
  isRequired?: boolean;
  /** What follows while it is down, such as `events wait in the outbox`. */
  effect?: string;
  /**
   * Resolves while the dependency works, with a reason if it works only in part; rejects while it fails. An answer after
   * {@link CHECK_TIMEOUT_MS} counts as a failure.
   */
  check(): Promise<string | undefined>;
}

export const CHECK_TIMEOUT_MS = 2_000;
/**
 * Failures become `down` after this time. All replicas see a dependency fail at the same moment: a shorter time would take
 * every replica out of rotation because of a failover that ends by itself.
 */
export const DOWN_AFTER_MS = 5_000;

/** The state of one dependency. While a check hangs, no second one starts. */
export class Dependency {
  readonly #options: DependencyCheck;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #pending: Promise<string | undefined> | undefined;
  #failingSince: { at: Date; elapsedMs: number } | undefined;
  #report: DependencyReport | undefined;

  constructor(options: DependencyCheck, clock: Clock, logger: Logger) {
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Undefined until the first check has ended. */
  get report(): DependencyReport | undefined {
    return this.#report;
  }

  /** Whether the last check succeeded, at least in part. */
  get isAnswering(): boolean {
    return this.#report !== undefined && this.#failingSince === undefined;
  }

  /** Why the process cannot serve without it; undefined while it can. */
  get notReadyBecause(): string | undefined {
    const { isRequired, name } = this.#options;
    return isRequired && this.#report?.state === 'down' ? `${name}: ${this.#report.reason}` : undefined;
  }

  async refresh(): Promise<void> {
    try {
      const reason = await this.#ask();
      this.#failingSince = undefined;
      this.#become(reason === undefined ? 'up' : 'degraded', reason);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #ask(): Promise<string | undefined> {
    this.#pending ??= this.#options.check().finally(() => {
      this.#pending = undefined;
    });
    const answer = await within(this.#pending, CHECK_TIMEOUT_MS);
    if (answer !== LATE) return answer;
    this.#pending?.catch(() => undefined); // not observed any more
    throw new Error('timeout');
  }

  #failed(error: unknown): void {
    this.#failingSince ??= { at: this.#clock.now(), elapsedMs: this.#clock.elapsed() };
    const isDown = this.#clock.elapsed() - this.#failingSince.elapsedMs >= DOWN_AFTER_MS;
    const { effect } = this.#options;
    const reason = effect === undefined ? toReason(error) : `${toReason(error)}; ${effect}`;
    this.#become(isDown ? 'down' : 'degraded', reason, error);
  }

  #become(state: DependencyState, reason?: string, error?: unknown): void {
    const before = this.#report;
    const since = before?.state === state ? before.since : (this.#failingSince?.at ?? this.#clock.now());
    this.#report = { name: this.name, state, ...(reason !== undefined && { reason }), since };
    if (state === (before?.state ?? 'up')) return;
    const fields = { dependency: this.name, state, reason, ...(error !== undefined && { err: error }) };
    if (state === 'up') this.#logger.info(fields, 'dependency available');
    else this.#logger.warn(fields, state === 'down' ? 'dependency unavailable' : 'dependency degraded');
  }
}
