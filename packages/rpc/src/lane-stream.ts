import { type DescMethod, fromBinary } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import type { LaneCall, LaneOutbound, LaneReply } from './lane-codec.js';
import { OPEN } from './lane-definition.js';
import { fromErrorDetail, notDelivered, unreachable } from './wire-errors.js';

/** One call that waits for its replies. */
export interface PendingCall {
  method: DescMethod;
  reply(message: unknown): void;
  end(): void;
  fail(error: unknown): void;
}

/**
 * One stream of a lane, with the calls that ride on it. Nothing is written before the server has accepted the stream, so
 * that of every call that a broken stream fails it is known whether it may have arrived.
 */
export class LaneStream {
  readonly openedAt = performance.now();
  readonly #stream: grpc.ClientDuplexStream<LaneOutbound, LaneReply[]>;
  readonly #onEnd: () => void;
  readonly #pending = new Map<number, PendingCall>();
  #outbound: LaneOutbound = { calls: [], cancels: [], credits: [] };
  #isAccepted = false;
  #isScheduled = false;
  #isRetired = false;
  #isLost = false;

  constructor(client: grpc.Client, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#stream = client.makeBidiStreamRequest(OPEN.path, OPEN.requestSerialize, OPEN.responseDeserialize);
    this.#stream.on('metadata', () => {
      this.#isAccepted = true;
      this.#flush();
    });
    this.#stream.on('data', (replies: LaneReply[]) => {
      for (const reply of replies) this.#receive(reply);
    });
    this.#stream.on('error', (error) => this.#lost(error));
    this.#stream.on('end', () => this.#lost(undefined));
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  send(call: LaneCall, pending: PendingCall): void {
    this.#pending.set(call.id, pending);
    this.#outbound.calls.push(call);
    this.#schedule();
  }

  /** The call is over for its caller. */
  forget(id: number): void {
    if (this.#pending.delete(id)) this.#endIfDone();
  }

  /** Tells the server, if it has the call, that nobody waits for it. */
  cancel(id: number): void {
    if (!this.#pending.has(id)) return;
    const unsent = this.#outbound.calls.findIndex((call) => call.id === id);
    if (unsent >= 0) {
      this.#outbound.calls.splice(unsent, 1);
    } else {
      this.#outbound.cancels.push(id);
      this.#schedule();
    }
  }

  credit(id: number, items: number): void {
    this.#outbound.credits.push({ id, items });
    this.#schedule();
  }

  /** Takes no further calls; ends when the present ones have. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfDone();
  }

  close(): void {
    this.#stream.end();
    this.#lost(undefined);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isAccepted) this.#flush();
    });
  }

  #flush(): void {
    const message = this.#outbound;
    if (this.#isLost || message.calls.length + message.cancels.length + message.credits.length === 0) return;
    this.#outbound = { calls: [], cancels: [], credits: [] };
    this.#stream.write(message);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (!this.#isRetired || this.#isLost || this.#pending.size > 0 || this.#outbound.cancels.length > 0) return;
    this.#isLost = true;
    this.#onEnd();
    this.#stream.end();
  }

  #lost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#onEnd();
    const unsent = new Set(this.#outbound.calls.map((call) => call.id));
    for (const [id, pending] of [...this.#pending]) {
      pending.fail(unsent.has(id) ? notDelivered(error) : unreachable(error));
    }
  }

  #receive(reply: LaneReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.error) {
      pending.fail(fromErrorDetail(reply.error));
      return;
    }
    if (reply.payload) pending.reply(fromBinary(pending.method.output, reply.payload));
    if (reply.end) pending.end();
  }
}
