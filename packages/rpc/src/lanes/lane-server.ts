import type { DescMethod } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { type Call, receivedCall } from '../call.js';
import { decodePrincipal } from '../call-metadata.js';
import type { Registration } from '../service.js';
import { methodPath } from '../service.js';
import { callerLeft, callTooLarge, noSuchMethod, overloaded, toErrorDetail } from '../wire-errors.js';
import type { LaneCall, LaneInbound, LaneOutbound, LaneReply } from './lane-codec.js';
import { CALL_BYTES_MAX, isCurrentPeer, laneMetadata, replyUnits, STREAM_WINDOW } from './lane-definition.js';
import { LaneJoiner } from './lane-joiner.js';
import { LaneWriter } from './lane-writer.js';

interface Method {
  desc: DescMethod;
  handler: Registration['handlers'][string];
}

interface Running {
  id: number;
  call: Call;
  /** The account that the call is made for. */
  flow: string;
  /** Units of the call's window that are left. */
  credit: number;
  resume: (() => void) | undefined;
}

/** In-flight calls of one stream; further ones are refused, not queued. */
const RUNNING_MAX = 10_000;

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
    this.#writer.splits = isCurrentPeer(stream.metadata);
    // Clients wait for this before they write, so that they know that a refused stream has carried no call.
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
      // The parts that follow a dropped part name no method.
      if (item && item.method !== '') this.#start(item);
    } catch {
      this.#reply({ id: part.id, end: true, error: toErrorDetail(overloaded()) });
    }
  }

  #start(item: LaneCall): void {
    const method = this.#methods.get(item.method);
    if (!method || this.#running.size >= RUNNING_MAX) {
      const error = method ? overloaded() : noSuchMethod();
      this.#reply({ id: item.id, end: true, error: toErrorDetail(error) });
      return;
    }
    const call = receivedCall(
      item.requestId,
      decodePrincipal(item.principal),
      item.timeoutMs,
      item.traceparent || undefined,
    );
    const flow = call.principal?.accountId ?? '';
    const entry: Running = { id: item.id, call, flow, credit: STREAM_WINDOW, resume: undefined };
    this.#running.set(item.id, entry);
    void this.#run(method, item.payload, entry);
  }

  async #run(method: Method, payload: Uint8Array, entry: Running): Promise<void> {
    const { id, flow } = entry;
    try {
      const req = decodeMessage(method.desc.input, payload);
      if (method.desc.methodKind === 'unary') {
        const res = await method.handler(req, entry.call);
        this.#reply({ id, flow, end: true, payload: encode(method, res) });
      } else {
        await this.#relay(method, method.handler(req, entry.call), entry);
        this.#reply({ id, flow, end: true });
      }
    } catch (error) {
      this.#reply({ id, flow, end: true, error: toErrorDetail(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  async #relay(method: Method, items: AsyncIterable<Record<string, unknown>>, entry: Running): Promise<void> {
    const { id, flow, call } = entry;
    for await (const res of items) {
      while (entry.credit <= 0 && !call.isAborted) await new Promise<void>((resolve) => (entry.resume = resolve));
      entry.resume = undefined;
      if (call.isAborted) return;
      const payload = encode(method, res);
      entry.credit -= this.#writer.splits ? replyUnits(payload.length) : 1;
      this.#reply({ id, flow, end: false, payload });
    }
  }

  #reply(reply: LaneReply): void {
    this.#writer.push(reply);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#writer.flush();
    });
  }

  #write(message: LaneInbound, written: (() => void) | undefined): void {
    const { destroyed, cancelled, writableEnded } = this.#stream;
    if (!destroyed && !cancelled && !writableEnded) this.#stream.write(message, written);
  }
}

function cancel(entry: Running | undefined): void {
  entry?.call.abort(callerLeft());
  entry?.resume?.();
}

/** @throws AppError INTERNAL_ERROR when the reply is too large to be sent */
function encode({ desc }: Method, res: Record<string, unknown>): Uint8Array {
  const payload = encodeMessage(desc.output, res);
  if (payload.length > CALL_BYTES_MAX) throw callTooLarge(methodPath(desc), 'reply', payload.length);
  return payload;
}
