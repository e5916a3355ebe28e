import type { AppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';
import { type Call, deadlineExceeded } from './call.js';

/** Ends calls whose deadline has passed. One coarse timer for all calls of a process: a timer per call costs more. */
const TICK_MS = 25;

interface Watched {
  deadline: number;
  expire(): void;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;

/** Calls `expire` once the deadline (by `elapsed()`) has passed, within 25 ms, unless unwatched before. */
export function watchDeadline(deadline: number, expire: () => void): Watched {
  const entry = { deadline, expire };
  watched.add(entry);
  if (!timer) {
    timer = setInterval(sweep, TICK_MS);
    timer.unref();
  }
  return entry;
}

export function unwatchDeadline(entry: Watched): void {
  watched.delete(entry);
  if (watched.size === 0 && timer) {
    clearInterval(timer);
    timer = undefined;
  }
}

function sweep(): void {
  const now = elapsed();
  for (const entry of watched) {
    if (entry.deadline > now) continue;
    watched.delete(entry);
    entry.expire();
  }
}

/**
 * Cancels a gRPC call at its deadline and when its caller leaves, until `end`. grpc-js would compare the deadline with the wall
 * clock, which can step.
 */
export class CallLimits {
  readonly #call: Call;
  readonly #label: string;
  readonly #cancel: () => void;
  readonly #watch: Watched;
  #isLate = false;

  constructor(call: Call, label: string, cancel: () => void) {
    this.#call = call;
    this.#label = label;
    this.#cancel = cancel;
    this.#watch = watchDeadline(call.deadline, () => {
      this.#isLate = true;
      cancel();
    });
    call.onAbort(cancel);
  }

  /** The error of the passed deadline, which canceled the call. */
  get failure(): AppError | undefined {
    return this.#isLate ? deadlineExceeded(this.#label) : undefined;
  }

  end(): void {
    unwatchDeadline(this.#watch);
    this.#call.offAbort(this.#cancel);
  }
}
