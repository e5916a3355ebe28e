import type { DescMethod } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { encodeMessage } from '@tollgate/contracts/codec';
import { backoffMs, Channel, elapsed } from '@tollgate/runtime';
import { type Call, deadlineExceeded } from '../call.js';
import { encodePrincipal } from '../call-metadata.js';
import { methodPath } from '../service.js';
import { callTooLarge, neverSent, notDelivered, overloaded, toAppError, unreachable } from '../wire-errors.js';
import { type Caller, PendingCall } from './lane-call.js';
import { CALL_BYTES_MAX, STREAM_WINDOW } from './lane-definition.js';
import { LaneStream } from './lane-stream.js';

/** Calls waiting on one stream; further ones are refused. */
const PENDING_MAX = 10_000;
/** Bytes of large requests waiting on one stream; further large ones are refused. */
const WAITING_BYTES_MAX = 256 * 1024 * 1024;
/**
 * A stream is replaced after about this long, far earlier than its server ends the connection. Its successor may lead
 * to another replica, so replicas that an autoscaler adds get their share. Running calls stay on their stream.
 */
const STREAM_AGE_MS = 60_000;
/** Streams of many processes that started together are not replaced together. */
const STREAM_AGE_JITTER = 0.25;
/** Pauses before a call is resent. Together shorter than a caller's deadline. */
const RESEND_PAUSES_MS = [0, 50, 200, 500];
/** Between two attempts to open a stream, doubled by each failure. */
const REOPEN_PAUSE = { minMs: 10, maxMs: 500 };

export interface LaneOptions {
  /** Opens a client with a connection of its own. */
  connect(): grpc.Client;
  /** Whether a call that may have arrived can be sent again: a repeat has no further effect and the same answer. */
  isRepeatable?(method: DescMethod): boolean;
  streamAgeMs?: number;
  waitingBytesMax?: number;
}

/**
 * Calls to a service on a long-lived stream. Those of one event-loop turn leave together. When a stream breaks, calls that
 * certainly did not arrive, and repeatable ones, are sent again on a new one; the others fail with SERVICE_UNAVAILABLE.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #streams = new Set<LaneStream>();
  /** Carries new calls; accepted by its server. */
  #current: LaneStream | undefined;
  /** Replaces `#current` once its server has accepted it. */
  #next: LaneStream | undefined;
  #nextId = 0;
  #currentAgeMs = 0;
  #openFailures = 0;
  #openNotBefore = 0;
  #lastError: unknown;
  #isClosed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  unary(method: DescMethod, req: Record<string, unknown>, call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let result: unknown;
      this.#start(method, req, call, {
        reply: (message) => {
          result = message;
        },
        end: () => (result === undefined ? reject(unreachable()) : resolve(result)),
        fail: reject,
      });
    });
  }

  streaming(method: DescMethod, req: Record<string, unknown>, call: Call): AsyncIterable<unknown> {
    let taken = 0;
    let started: PendingCall | undefined;
    const items = new Channel<unknown>(
      (units) => {
        taken += units;
        if (!started || taken < STREAM_WINDOW / 2) return;
        started.stream?.credit(started.item.id, taken);
        taken = 0;
      },
      () => started?.leave(),
    );
    started = this.#start(method, req, call, {
      reply: (message, units) => items.push(message, units),
      end: () => items.end(),
      fail: (error) => items.fail(error),
    });
    return items;
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams]) stream.close();
  }

  #start(method: DescMethod, req: Record<string, unknown>, call: Call, caller: Caller): PendingCall | undefined {
    const label = methodPath(method);
    const remaining = call.remainingMs();
    if (remaining <= 0 || call.isAborted) {
      caller.fail(neverSent(remaining <= 0 ? deadlineExceeded(label) : toAppError(call.abortReason)));
      return undefined;
    }
    let payload: Uint8Array;
    try {
      payload = encodeMessage(method.input, req);
    } catch (error) {
      caller.fail(toAppError(error));
      return undefined;
    }
    if (payload.length > CALL_BYTES_MAX) {
      caller.fail(callTooLarge(label, 'request', payload.length));
      return undefined;
    }
    this.#nextId = (this.#nextId + 1) >>> 0;
    const item = {
      id: this.#nextId,
      method: label,
      payload,
      timeoutMs: 0,
      requestId: call.requestId,
      principal: encodePrincipal(call.principal),
      traceparent: call.traceparent ?? '',
      flow: call.principal?.accountId ?? '',
    };
    const pending = new PendingCall(method, item, call, caller);
    this.#send(pending);
    return pending;
  }

  #send(call: PendingCall): void {
    call.sends++;
    const stream = this.#stream();
    if (!stream) {
      this.#sendAgain(call, this.#lastError);
      return;
    }
    const { waitingBytesMax = WAITING_BYTES_MAX } = this.#options;
    if (stream.pendingCount >= PENDING_MAX || stream.waitingBytes + call.item.payload.length > waitingBytesMax) {
      call.fail(call.mayHaveArrived ? unreachable() : overloaded());
      return;
    }
    call.stream = stream;
    stream.send(call);
  }

  #sendAgain(call: PendingCall, error: unknown): void {
    const pauseMs = RESEND_PAUSES_MS[call.sends - 1];
    const isAllowed = !call.mayHaveArrived || this.#options.isRepeatable?.(call.method) === true;
    if (!isAllowed || this.#isClosed || pauseMs === undefined || call.remainingMs() <= pauseMs) {
      call.fail(call.mayHaveArrived ? unreachable(error) : notDelivered(error));
    } else if (pauseMs === 0) {
      this.#send(call);
    } else {
      setTimeout(() => call.isOver || this.#send(call), pauseMs);
    }
  }

  /** The stream for a new call; undefined while opening one has to wait. */
  #stream(): LaneStream | undefined {
    const current = this.#current;
    if (!current) return this.#next ?? this.#open();
    const age = elapsed() - current.openedAt;
    if (age < this.#currentAgeMs) return current;
    if (!this.#next) this.#open();
    // The old stream continues to serve until its successor is accepted, up to a limit.
    if (age < 2 * this.#currentAgeMs || !this.#next) return current;
    this.#current = undefined;
    current.retire();
    return this.#next;
  }

  #open(): LaneStream | undefined {
    if (this.#isClosed || elapsed() < this.#openNotBefore) return undefined;
    const stream = new LaneStream(this.#options.connect(), this.#owner);
    this.#next = stream;
    this.#streams.add(stream);
    return stream;
  }

  readonly #owner = {
    accepted: (stream: LaneStream): void => {
      if (this.#next !== stream) return;
      const old = this.#current;
      this.#next = undefined;
      this.#current = stream;
      this.#currentAgeMs = jittered(this.#options.streamAgeMs ?? STREAM_AGE_MS);
      this.#openFailures = 0;
      old?.retire();
    },
    retired: (stream: LaneStream): void => {
      if (this.#current === stream) this.#current = undefined;
      stream.retire();
    },
    ended: (stream: LaneStream, lost: PendingCall[], error: unknown): void => {
      this.#streams.delete(stream);
      if (this.#current === stream) this.#current = undefined;
      if (this.#next === stream) this.#openFailed(error);
      for (const call of lost) this.#sendAgain(call, error);
    },
  };

  #openFailed(error: unknown): void {
    this.#next = undefined;
    this.#lastError = error;
    this.#openFailures++;
    this.#openNotBefore = elapsed() + backoffMs(this.#openFailures, REOPEN_PAUSE);
  }
}

function jittered(ms: number): number {
  return ms * (1 + STREAM_AGE_JITTER * (2 * Math.random() - 1));
}
