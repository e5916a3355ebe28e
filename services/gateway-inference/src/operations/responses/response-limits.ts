import type { Caller } from '../../domain/stored-response.js';

/** Callers whose limits are due for a check. Further ones are checked after they store again. */
const CALLERS_MAX = 10_000;

/** Remembers who has stored responses since the limits were last checked. */
export class ResponseLimits {
  readonly #callers = new Map<string, Caller>();

  note(caller: Caller): void {
    if (this.#callers.size < CALLERS_MAX) this.#callers.set(`${caller.projectId} ${caller.customerId}`, caller);
  }

  /** Returns the callers and forgets them. */
  take(): Caller[] {
    const callers = [...this.#callers.values()];
    this.#callers.clear();
    return callers;
  }
}
