import { create, type DescMethod, toBinary } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { type Call, deadlineExceeded } from './call.js';
import { unwatchDeadline, watchDeadline } from './deadlines.js';
import { STREAM_WINDOW } from './lane-definition.js';
import { LaneStream, type PendingCall } from './lane-stream.js';
import { encodePrincipal } from './principal-codec.js';
import { PushIterable } from './push-iterable.js';
import { methodPath } from './service.js';
import { notDelivered, toAppError, unreachable } from './wire-errors.js';

/** Calls waiting on one stream; beyond this a caller is told at once instead of being queued without bound. */
const PENDING_MAX = 10_000;
/**
 * New calls take a new stream after this long, which may lead to another replica: the ones an autoscaler adds get their
 * share, and a server that ends old connections finds no lane on them. Calls under way stay where they are.
 */
const STREAM_AGE_MS = 60_000;

interface LaneOptions {
  streamAgeMs?: number;
}

/** A call on its way: the stream that carries it and the id it has there. */
interface Started {
  stream: LaneStream;
  id: number;
}

/**
 * Calls to a service on a long-lived stream. Those of one event-loop turn leave in one message; a broken stream fails
 * what was pending (SERVICE_UNAVAILABLE: retryable for idempotent calls) and the next call opens a new one.
 */
export class Lane {
  readonly #client: grpc.Client;
  readonly #streamAgeMs: number;
  readonly #streams = new Set<LaneStream>();
  #current: LaneStream | undefined;
  #nextId = 0;

  constructor(client: grpc.Client, { streamAgeMs = STREAM_AGE_MS }: LaneOptions = {}) {
    this.#client = client;
    this.#streamAgeMs = streamAgeMs;
  }

  unary(method: DescMethod, req: Record<string, unknown>, call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let result: unknown;
      this.#start(method, req, call, {
        method,
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
    let started: Started | undefined;
    const items = new PushIterable<unknown>(
      () => {
        if (!started || ++taken < STREAM_WINDOW / 2) return;
        started.stream.credit(started.id, taken);
        taken = 0;
      },
      () => started && leave(started),
    );
    started = this.#start(method, req, call, {
      method,
      reply: (message) => items.push(message),
      end: () => items.end(),
      fail: (error) => items.fail(error),
    });
    return items;
  }

  close(): void {
    for (const stream of [...this.#streams]) stream.close();
  }

  #start(method: DescMethod, req: Record<string, unknown>, call: Call, caller: PendingCall): Started | undefined {
    const label = methodPath(method);
    const remaining = call.remainingMs();
    if (remaining <= 0 || call.isAborted) {
      caller.fail(remaining <= 0 ? deadlineExceeded(label) : toAppError(call.signal.reason));
      return undefined;
    }
    let payload: Uint8Array;
    try {
      payload = toBinary(method.input, create(method.input, req));
    } catch (error) {
      caller.fail(toAppError(error));
      return undefined;
    }
    const stream = this.#stream();
    if (stream.pendingCount >= PENDING_MAX) {
      caller.fail(notDelivered());
      return undefined;
    }
    this.#nextId = (this.#nextId + 1) >>> 0;
    const started = { stream, id: this.#nextId };
    stream.send(
      {
        id: started.id,
        method: label,
        payload,
        timeoutMs: Math.ceil(remaining),
        requestId: call.requestId,
        principal: encodePrincipal(call.principal),
        traceparent: call.traceparent ?? '',
      },
      watched(started, method, call, caller),
    );
    return started;
  }

  #stream(): LaneStream {
    const current = this.#current;
    if (current && performance.now() - current.openedAt < this.#streamAgeMs) return current;
    const stream: LaneStream = new LaneStream(this.#client, () => {
      this.#streams.delete(stream);
      if (this.#current === stream) this.#current = undefined;
    });
    this.#current = stream;
    this.#streams.add(stream);
    current?.retire();
    return stream;
  }
}

/** The caller as the stream sees it: told once, by a reply, its deadline or its own signal. */
function watched(started: Started, method: DescMethod, call: Call, caller: PendingCall): PendingCall {
  const { stream, id } = started;
  const stop = (error: unknown): void => {
    stream.cancel(id);
    pending.fail(error);
  };
  const watch = watchDeadline(call.deadline, () => stop(deadlineExceeded(methodPath(method))));
  const stopListening = listen(method, call, () => stop(toAppError(call.signal.reason)));
  const done = (): void => {
    unwatchDeadline(watch);
    stopListening();
    stream.forget(id);
  };
  const pending: PendingCall = {
    method,
    reply: caller.reply,
    end: () => {
      done();
      caller.end();
    },
    fail: (error) => {
      done();
      caller.fail(error);
    },
  };
  return pending;
}

/** The reader of a stream has left its loop. */
function leave({ stream, id }: Started): void {
  stream.cancel(id);
  stream.forget(id);
}

/** Unary hot calls are short and end by reply or deadline; only streams follow the caller's signal. */
function listen(method: DescMethod, call: Call, onAbort: () => void): () => void {
  if (method.methodKind === 'unary') return () => {};
  const { signal } = call;
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
