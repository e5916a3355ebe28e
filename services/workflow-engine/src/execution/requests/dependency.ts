import { Circuit, elapsed, type Logger } from '@tollgate/runtime';

const LIMITS = { failuresMax: 5, openMs: 1_000 };

/** A service without which no queued request can run. While it fails, one request at a time probes it. */
export class Dependency {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #circuit = new Circuit(LIMITS);

  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  /** Returns how many of up to `max` requests may start now. */
  admit(max: number): number {
    const before = this.#circuit.state;
    if (!this.#circuit.admits(elapsed())) return 0;
    return before === 'closed' ? max : Math.min(max, 1);
  }

  /** Makes a call. `isFailure` says of an error that the service itself is unavailable. */
  async call<Result>(make: () => Promise<Result>, isFailure: (error: unknown) => boolean): Promise<Result> {
    try {
      const result = await make();
      this.#record(true);
      return result;
    } catch (error) {
      this.#record(!isFailure(error));
      throw error;
    }
  }

  #record(isSuccess: boolean): void {
    const before = this.#circuit.state;
    if (isSuccess) this.#circuit.succeeded(elapsed());
    else this.#circuit.failed(elapsed());
    const { state } = this.#circuit;
    if (before === 'closed' && state === 'open')
      this.#logger.warn({ dependency: this.#name }, 'dependency unavailable; queued requests wait');
    if (before !== 'closed' && state === 'closed')
      this.#logger.info({ dependency: this.#name }, 'dependency available again');
  }
}

/** The services that each queued request calls. */
export interface Dependencies {
  ledger: Dependency;
  inference: Dependency;
}

export function createDependencies(logger: Logger): Dependencies {
  return { ledger: new Dependency('billing-ledger', logger), inference: new Dependency('gateway-inference', logger) };
}
