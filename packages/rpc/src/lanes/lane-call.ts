import type { DescMethod } from '@bufbuild/protobuf';
import { type Call, deadlineExceeded, unwatchDeadline, watchDeadline } from '../call.js';
import { methodPath } from '../service.js';
import { toAppError } from '../wire-errors.js';
import type { LaneCall } from './lane-codec.js';

/** The part of a lane's stream that a call on it uses. */
export interface Carrier {
  credit(callId: number, units: number): void;
  cancel(callId: number): void;
  forget(callId: number): void;
}

/** The caller: receives the replies of a call and then, once, its end or its failure. */
export interface Caller {
  /** `units` is what the reply has used of the call's window. */
  reply(message: unknown, units: number): void;
  end(): void;
  fail(error: unknown): void;
}

/** One call on a lane until it ends: by its last reply, its deadline, or its caller. It may be sent on several streams. */
export class PendingCall {
  readonly method: DescMethod;
  readonly item: LaneCall;
  /** The stream that carries the call now. */
  stream: Carrier | undefined;
  /** How many streams the call has been assigned to. */
  sends = 0;
  /** Whether a stream that broke has carried the whole call. */
  mayHaveArrived = false;
  isOver = false;
  readonly #call: Call;
  readonly #caller: Caller;
  readonly #watch: ReturnType<typeof watchDeadline>;

  constructor(method: DescMethod, item: LaneCall, call: Call, caller: Caller) {
    this.method = method;
    this.item = item;
    this.#call = call;
    this.#caller = caller;
    this.#watch = watchDeadline(call.deadline, () => this.stop(deadlineExceeded(methodPath(method))));
    // Unary calls of a lane are short and end by their reply or deadline; only streams follow the caller.
    if (method.methodKind !== 'unary') call.onAbort(this.#onAbort);
  }

  readonly #onAbort = (): void => this.stop(toAppError(this.#call.abortReason));

  remainingMs(): number {
    return this.#call.remainingMs();
  }

  reply(message: unknown, units: number): void {
    this.#caller.reply(message, units);
  }

  end(): void {
    if (this.#finish()) this.#caller.end();
  }

  fail(error: unknown): void {
    if (this.#finish()) this.#caller.fail(error);
  }

  /** Ends the call from this side and cancels it at the server. */
  stop(error: unknown): void {
    this.stream?.cancel(this.item.id);
    this.fail(error);
  }

  /** The caller stops reading. */
  leave(): void {
    this.stream?.cancel(this.item.id);
    this.#finish();
  }

  #finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    unwatchDeadline(this.#watch);
    if (this.method.methodKind !== 'unary') this.#call.offAbort(this.#onAbort);
    this.stream?.forget(this.item.id);
    return true;
  }
}
