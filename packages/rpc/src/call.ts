import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';

/** Subtracted from every received deadline, so that the callee can still answer with a precise error. */
export const DEADLINE_SHAVE_MS = 20;

/** The default deadline, long enough for any unary call. */
export const DEFAULT_TIMEOUT_MS = 10_000;

export interface CallOptions {
  requestId?: string;
  principal?: Principal | undefined;
  /** The caller's time limit, from now. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** W3C trace context. */
  traceparent?: string | undefined;
}

/**
 * The context of a call: its principal, request and deadline. Handlers pass the call that they received on to
 * the calls that they make, so that deadline, cancellation and identity follow the request through all services.
 */
export class Call {
  readonly requestId: string;
  readonly principal: Principal | undefined;
  /** By `elapsed()` of this process, so that a step of the wall clock neither ends nor prolongs a call. */
  readonly deadline: number;
  readonly traceparent: string | undefined;
  /** The source of cancellation: the parent call in this process, or a socket's signal. */
  readonly #source: Call | AbortSignal | undefined;
  /** Follows the source while someone listens. */
  #follower: (() => void) | undefined;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #aborted = false;

  constructor(
    requestId: string,
    principal: Principal | undefined,
    deadline: number,
    traceparent?: string,
    source?: Call | AbortSignal,
  ) {
    this.requestId = requestId;
    this.principal = principal;
    this.deadline = deadline;
    this.traceparent = traceparent;
    this.#source = source;
  }

  /**
   * Aborted when the caller disconnects or the deadline passes, for libraries that take a signal. Our own code uses `onAbort`,
   * which is cheaper.
   */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.isAborted) this.#controller.abort(this.abortReason);
      else this.#follow();
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    if (this.#aborted) return true;
    return this.#source instanceof Call ? this.#source.isAborted : this.#source?.aborted === true;
  }

  /** Why the call was aborted. */
  get abortReason(): unknown {
    if (this.#aborted) return this.#abortReason;
    return this.#source instanceof Call ? this.#source.abortReason : this.#source?.reason;
  }

  /** Calls `listener` once when the call is aborted, unless `offAbort` comes first. Never calls it for a call that is aborted. */
  onAbort(listener: () => void): void {
    if (this.isAborted) return;
    this.#follow();
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  offAbort(listener: () => void): void {
    if (!this.#listeners?.delete(listener) || this.#listeners.size > 0 || this.#controller || !this.#follower) return;
    if (this.#source instanceof Call) this.#source.offAbort(this.#follower);
    else this.#source?.removeEventListener('abort', this.#follower);
    this.#follower = undefined;
  }

  /** Transport side: the caller disconnected or its deadline passed. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }

  /** Whole milliseconds until the deadline; not positive once it has passed. */
  remainingMs(): number {
    return Math.ceil(this.deadline - elapsed());
  }

  /**
   * Returns a call of the same request with another time limit or identity. Its deadline is never later than the
   * parent's.
   */
  with(options: { principal?: Principal; timeoutMs?: number }): Call {
    const deadline =
      options.timeoutMs === undefined ? this.deadline : Math.min(this.deadline, elapsed() + options.timeoutMs);
    return new Call(this.requestId, options.principal ?? this.principal, deadline, this.traceparent, this);
  }

  /** The same call within the span of this context. */
  traced(traceparent: string): Call {
    return new Call(this.requestId, this.principal, this.deadline, traceparent, this);
  }

  /**
   * Returns a call for work that must finish even if the caller disconnects, such as a settlement: same request and
   * identity, a separate deadline, not canceled with the caller.
   */
  detached(timeoutMs: number): Call {
    return new Call(this.requestId, this.principal, elapsed() + timeoutMs, this.traceparent);
  }

  /** The principal, or UNAUTHORIZED where a call needs one and has none. */
  requirePrincipal(): Principal {
    if (!this.principal) throw new AppError('UNAUTHORIZED', 'credentials required');
    return this.principal;
  }

  #follow(): void {
    const source = this.#source;
    if (!source || this.#follower) return;
    if (source instanceof Call) {
      this.#follower = () => this.abort(source.abortReason);
      source.onAbort(this.#follower);
    } else {
      this.#follower = () => this.abort(source.reason);
      source.addEventListener('abort', this.#follower, { once: true });
    }
  }
}

/** Starts the call of external work: an HTTP request, a worker's pass, a consumer's record. */
export function startCall(options: CallOptions = {}): Call {
  return new Call(
    options.requestId ?? randomUUID(),
    options.principal,
    elapsed() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    options.traceparent,
    options.signal,
  );
}

/** The callee's view of a received call: its deadline is a little earlier than the caller's. */
export function receivedCall(
  requestId: string,
  principal: Principal | undefined,
  timeoutMs: number,
  traceparent?: string,
  source?: Call | AbortSignal,
): Call {
  return new Call(requestId, principal, elapsed() + timeoutMs - DEADLINE_SHAVE_MS, traceparent, source);
}

/** The message may reach customers: only the cause, which is logged, names the method. */
export function deadlineExceeded(method: string, cause?: unknown): AppError {
  const inMethod = new Error(`deadline exceeded in ${method}`, { cause });
  return new AppError('RELAY_TIMEOUT', 'the request was not answered in time', { cause: inMethod });
}

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
