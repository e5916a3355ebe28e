import { create, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { AppError } from '@tollgate/errors';
import { type Call, deadlineExceeded } from './call.js';
import { unwatchDeadline, watchDeadline } from './deadlines.js';
import type { LaneOutbound, LaneReply } from './lane-codec.js';
import { OPEN, STREAM_WINDOW } from './lane-definition.js';
import { encodePrincipal } from './principal-codec.js';
import { PushIterable } from './push-iterable.js';
import { methodPath } from './service.js';
import { fromErrorDetail, toAppError } from './wire-errors.js';

interface Pending {
  method: DescMethod;
  reply(message: unknown): void;
  end(): void;
  fail(error: unknown): void;
}

/** Calls waiting on one lane; beyond this a caller is told at once instead of being queued without bound. */
const PENDING_MAX = 10_000;

/**
 * One long-lived stream to a service. Calls of one event-loop turn leave in one message; a broken stream fails what
 * was pending (SERVICE_UNAVAILABLE: retryable for idempotent calls) and the next call opens a new one.
 */
export class Lane {
  readonly #client: grpc.Client;
  #stream: grpc.ClientDuplexStream<LaneOutbound, LaneReply[]> | undefined;
  #pending = new Map<number, Pending>();
  #outbound: LaneOutbound = { calls: [], cancels: [], credits: [] };
  #isScheduled = false;
  #nextId = 0;

  constructor(client: grpc.Client) {
    this.#client = client;
  }

  unary(method: DescMethod, req: Record<string, unknown>, call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let result: unknown;
      this.#start(method, req, call, {
        method,
        reply: (message) => {
          result = message;
        },
        end: () => (result === undefined ? reject(broken()) : resolve(result)),
        fail: reject,
      });
    });
  }

  streaming(method: DescMethod, req: Record<string, unknown>, call: Call): AsyncIterable<unknown> {
    let taken = 0;
    let id: number | undefined;
    const items = new PushIterable<unknown>(
      () => {
        if (id === undefined || ++taken < STREAM_WINDOW / 2) return;
        this.#outbound.credits.push({ id, items: taken });
        taken = 0;
        this.#schedule();
      },
      () => {
        if (id !== undefined) this.#cancel(id);
      },
    );
    id = this.#start(method, req, call, {
      method,
      reply: (message) => items.push(message),
      end: () => items.end(),
      fail: (error) => items.fail(error),
    });
    return items;
  }

  close(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.end();
    for (const entry of [...this.#pending.values()]) entry.fail(broken());
  }

  #start(method: DescMethod, req: Record<string, unknown>, call: Call, pending: Pending): number | undefined {
    const label = methodPath(method);
    const remaining = call.remainingMs();
    if (remaining <= 0 || call.isAborted || this.#pending.size >= PENDING_MAX) {
      pending.fail(
        remaining <= 0 ? deadlineExceeded(label) : call.isAborted ? toAppError(call.signal.reason) : broken(),
      );
      return undefined;
    }
    this.#nextId = (this.#nextId + 1) >>> 0;
    const id = this.#nextId;
    let payload: Uint8Array;
    try {
      payload = toBinary(method.input, create(method.input, req));
    } catch (error) {
      pending.fail(toAppError(error));
      return undefined;
    }
    const watch = watchDeadline(call.deadline, () => {
      this.#cancel(id);
      entry.fail(deadlineExceeded(label));
    });
    const stopListening = listen(method, call, () => {
      this.#cancel(id);
      entry.fail(toAppError(call.signal.reason));
    });
    const done = (): void => {
      unwatchDeadline(watch);
      stopListening();
      this.#pending.delete(id);
    };
    const entry: Pending = {
      method,
      reply: pending.reply,
      end: () => {
        done();
        pending.end();
      },
      fail: (error) => {
        done();
        pending.fail(error);
      },
    };
    this.#pending.set(id, entry);
    this.#outbound.calls.push({
      id,
      method: label,
      payload,
      timeoutMs: Math.ceil(remaining),
      requestId: call.requestId,
      principal: encodePrincipal(call.principal),
      traceparent: call.traceparent ?? '',
    });
    this.#schedule();
    return id;
  }

  #cancel(id: number): void {
    if (!this.#pending.delete(id)) return;
    this.#outbound.cancels.push(id);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    const message = this.#outbound;
    this.#outbound = { calls: [], cancels: [], credits: [] };
    if (!this.#stream && message.calls.length === 0) return;
    this.#stream ??= this.#open();
    this.#stream.write(message);
  }

  #open(): grpc.ClientDuplexStream<LaneOutbound, LaneReply[]> {
    const stream = this.#client.makeBidiStreamRequest(OPEN.path, OPEN.requestSerialize, OPEN.responseDeserialize);
    const lost = (error: unknown): void => {
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      for (const entry of [...this.#pending.values()]) entry.fail(broken(error));
    };
    stream.on('data', (replies: LaneReply[]) => {
      for (const reply of replies) this.#receive(reply);
    });
    stream.on('error', lost);
    stream.on('end', () => lost(undefined));
    return stream;
  }

  #receive(reply: LaneReply): void {
    const entry = this.#pending.get(reply.id);
    if (!entry) return;
    if (reply.error) {
      entry.fail(fromErrorDetail(reply.error));
      return;
    }
    if (reply.payload) entry.reply(fromBinary(entry.method.output, reply.payload));
    if (reply.end) entry.end();
  }
}

/** Unary hot calls are short and end by reply or deadline; only streams follow the caller's signal. */
function listen(method: DescMethod, call: Call, onAbort: () => void): () => void {
  if (method.methodKind === 'unary') return () => {};
  const { signal } = call;
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

function broken(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable', { cause });
}
