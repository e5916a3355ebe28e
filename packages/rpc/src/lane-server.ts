import { create, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { AppError } from '@tollgate/errors';
import { type Call, receivedCall } from './call.js';
import type { LaneCall, LaneInbound, LaneOutbound, LaneReply } from './lane-codec.js';
import { CALL_BYTES_MAX, laneMetadata, STREAM_WINDOW, understandsParts } from './lane-definition.js';
import { LaneJoiner, LaneWriter } from './lane-writer.js';
import { decodePrincipal } from './principal-codec.js';
import type { Registration } from './service.js';
import { methodPath } from './service.js';
import { callerLeft, callTooLarge, overloaded, toErrorDetail } from './wire-errors.js';

interface Method {
  desc: DescMethod;
  handler: Registration['handlers'][string];
}

interface Running {
  call: Call;
  credit: number;
  resume: (() => void) | undefined;
}

/** In-flight calls of one stream; further ones are refused, not queued. */
const RUNNING_MAX = 10_000;

type Out = (reply: LaneReply) => void;

/** The lanes that a server's clients have opened. */
export class LaneServer {
  readonly #methods = new Map<string, Method>();
  readonly #streams = new Set<ServedStream>();
  #isDraining = false;

  constructor(registrations: Registration[]) {
    for (const r of registrations) {
      for (const desc of r.service.methods) {
        const handler = r.handlers[desc.localName];
        if (handler) this.#methods.set(methodPath(desc), { desc, handler });
      }
    }
  }

  readonly open: grpc.handleBidiStreamingCall<LaneOutbound, LaneInbound> = (stream) => {
    const served = new ServedStream(stream, this.#methods, () => this.#streams.delete(served));
    this.#streams.add(served);
    if (this.#isDraining) served.retire();
  };

  /** Asks every client to end its streams once the calls on them have ended. */
  drain(): void {
    this.#isDraining = true;
    for (const stream of this.#streams) stream.retire();
  }
}

/** One stream of a client: starts its calls like ordinary ones; the replies of one event-loop turn leave together. */
class ServedStream {
  readonly #stream: grpc.ServerDuplexStream<LaneOutbound, LaneInbound>;
  readonly #methods: Map<string, Method>;
  readonly #running = new Map<number, Running>();
  readonly #joiner = new LaneJoiner<LaneCall>();
  readonly #writer: LaneWriter<LaneReply>;
  #isScheduled = false;

  constructor(
    stream: grpc.ServerDuplexStream<LaneOutbound, LaneInbound>,
    methods: Map<string, Method>,
    onClose: () => void,
  ) {
    this.#stream = stream;
    this.#methods = methods;
    this.#writer = new LaneWriter({
      write: (replies, written) => this.#write({ replies, retire: false }, written),
      continuation: (id, payload, more) => ({ id, payload, more, end: false }),
    });
    this.#writer.splits = understandsParts(stream.metadata);
    // Clients wait for this before they write, so that what a refused stream would have carried is known not to have left.
    stream.sendMetadata(laneMetadata());
    stream.on('data', (message: LaneOutbound) => this.#receive(message));
    const drop = (): void => {
      for (const entry of this.#running.values()) cancel(entry);
    };
    stream.on('cancelled', drop);
    stream.on('error', drop);
    stream.on('close', () => {
      drop();
      onClose();
    });
    stream.on('end', () => stream.end());
  }

  retire(): void {
    this.#write({ replies: [], retire: true }, undefined);
  }

  #receive({ calls, cancels, credits }: LaneOutbound): void {
    for (const item of calls) this.#join(item);
    for (const id of cancels) {
      this.#joiner.drop(id);
      cancel(this.#running.get(id));
    }
    for (const { id, items } of credits) {
      const entry = this.#running.get(id);
      if (!entry) continue;
      entry.credit += items;
      entry.resume?.();
    }
  }

  #join(part: LaneCall): void {
    try {
      const item = this.#joiner.join(part);
      // What follows on a part that was dropped names no method.
      if (item && item.method !== '') this.#start(item);
    } catch {
      this.#reply({ id: part.id, end: true, error: toErrorDetail(overloaded()) });
    }
  }

  #start(item: LaneCall): void {
    const method = this.#methods.get(item.method);
    if (!method || this.#running.size >= RUNNING_MAX) {
      const error = method ? overloaded() : new AppError('NOT_FOUND', `no such method ${item.method}`);
      this.#reply({ id: item.id, end: true, error: toErrorDetail(error) });
      return;
    }
    const call = receivedCall(
      item.requestId,
      decodePrincipal(item.principal),
      item.timeoutMs,
      item.traceparent || undefined,
    );
    const entry: Running = { call, credit: STREAM_WINDOW, resume: undefined };
    this.#running.set(item.id, entry);
    const isUnary = method.desc.methodKind === 'unary';
    const work = isUnary ? runUnary(method, item, call, this.#reply) : runStreaming(method, item, entry, this.#reply);
    void work.finally(() => this.#running.delete(item.id));
  }

  readonly #reply: Out = (reply) => {
    this.#writer.push(reply);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#writer.flush();
    });
  };

  #write(message: LaneInbound, written: (() => void) | undefined): void {
    const { destroyed, cancelled, writableEnded } = this.#stream;
    if (!destroyed && !cancelled && !writableEnded) this.#stream.write(message, written);
  }
}

function cancel(entry: Running | undefined): void {
  entry?.call.abort(callerLeft());
  entry?.resume?.();
}

async function runUnary(method: Method, item: LaneCall, call: Call, out: Out): Promise<void> {
  try {
    const res = await method.handler(fromBinary(method.desc.input, item.payload), call);
    out({ id: item.id, end: true, payload: encode(method, res) });
  } catch (error) {
    out({ id: item.id, end: true, error: toErrorDetail(error) });
  }
}

async function runStreaming(method: Method, item: LaneCall, entry: Running, out: Out): Promise<void> {
  try {
    for await (const res of method.handler(fromBinary(method.desc.input, item.payload), entry.call)) {
      if (entry.credit <= 0) await new Promise<void>((resolve) => (entry.resume = resolve));
      entry.resume = undefined;
      if (entry.call.isAborted) break;
      entry.credit--;
      out({ id: item.id, end: false, payload: encode(method, res) });
    }
    out({ id: item.id, end: true });
  } catch (error) {
    out({ id: item.id, end: true, error: toErrorDetail(error) });
  }
}

/** @throws AppError INTERNAL_ERROR when the reply is too large to be sent */
function encode({ desc }: Method, res: Record<string, unknown>): Uint8Array {
  const payload = toBinary(desc.output, create(desc.output, res));
  if (payload.length > CALL_BYTES_MAX) throw callTooLarge(methodPath(desc), 'reply', payload.length);
  return payload;
}
