import type * as grpc from '@grpc/grpc-js';
import { decodeMessage } from '@tollgate/contracts/codec';
import { elapsed } from '@tollgate/runtime';
import { fromErrorDetail, toAppError } from '../wire-errors.js';
import type { PendingCall } from './lane-call.js';
import type { LaneCall, LaneInbound, LaneOutbound, LaneReply } from './lane-codec.js';
import { isCurrentPeer, laneMetadata, OPEN, replyUnits } from './lane-definition.js';
import { LaneJoiner } from './lane-joiner.js';
import { LaneWriter } from './lane-writer.js';

/** A server accepts a stream at once; a connection that stays silent for this long is closed. */
const OPEN_TIMEOUT_MS = 5_000;

/** Events that a stream reports to its lane. */
export interface LaneStreamOwner {
  /** The server has accepted the stream. */
  accepted(stream: LaneStream): void;
  /** The server wants no further calls on the stream. */
  retired(stream: LaneStream): void;
  /** The stream is over. `lost` are the calls that it leaves unanswered. */
  ended(stream: LaneStream, lost: PendingCall[], error: unknown): void;
}

/**
 * One stream of a lane on a connection of its own, with the calls that it carries. Nothing is written before the server
 * has accepted the stream, so that the client knows for each call of a broken stream whether it may have arrived.
 */
export class LaneStream {
  readonly openedAt = elapsed();
  readonly #owner: LaneStreamOwner;
  readonly #client: grpc.Client;
  readonly #stream: grpc.ClientDuplexStream<LaneOutbound, LaneInbound>;
  readonly #openTimer: NodeJS.Timeout;
  readonly #pending = new Map<number, PendingCall>();
  readonly #writer: LaneWriter<LaneCall>;
  readonly #joiner = new LaneJoiner<LaneReply>();
  #cancels: number[] = [];
  #credits: { id: number; items: number }[] = [];
  #isAccepted = false;
  #isScheduled = false;
  #isRetired = false;
  #isOver = false;

  /** Takes over the client, and closes it at the end. */
  constructor(client: grpc.Client, owner: LaneStreamOwner) {
    this.#client = client;
    this.#owner = owner;
    this.#writer = new LaneWriter({
      write: (calls, written) => this.#write(calls, written),
      continuation: (id, payload, more) => ({ ...CONTINUATION, id, payload, more }),
    });
    this.#stream = client.makeBidiStreamRequest(
      OPEN.path,
      OPEN.requestSerialize,
      OPEN.responseDeserialize,
      laneMetadata(),
    );
    this.#openTimer = setTimeout(() => this.#giveUp(), OPEN_TIMEOUT_MS);
    this.#openTimer.unref();
    this.#listen();
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Bytes of large payloads that wait to be sent. */
  get waitingBytes(): number {
    return this.#writer.largeBytes;
  }

  send(call: PendingCall): void {
    this.#pending.set(call.item.id, call);
    this.#writer.push(call.item);
    this.#schedule();
  }

  /** The call is over for its caller. */
  forget(id: number): void {
    if (this.#pending.delete(id)) this.#endIfDone();
  }

  /** Stops the call at the server, if it has arrived there. */
  cancel(id: number): void {
    if (!this.#pending.has(id) || this.#writer.drop(id)) return;
    this.#cancels.push(id);
    this.#schedule();
  }

  credit(id: number, items: number): void {
    if (!this.#pending.has(id)) return;
    this.#credits.push({ id, items });
    this.#schedule();
  }

  /** Takes no further calls; ends after the calls in progress. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfDone();
  }

  close(): void {
    this.#stream.end();
    this.#lost(undefined);
  }

  #listen(): void {
    const stream = this.#stream;
    stream.on('metadata', (metadata: grpc.Metadata) => {
      clearTimeout(this.#openTimer);
      this.#isAccepted = true;
      this.#writer.splits = isCurrentPeer(metadata);
      this.#owner.accepted(this);
      this.#flush();
    });
    stream.on('data', ({ replies, retire }: LaneInbound) => {
      for (const reply of replies) this.#receive(reply);
      if (retire) this.#owner.retired(this);
    });
    stream.on('error', (error) => this.#lost(error));
    stream.on('end', () => this.#lost(undefined));
    stream.on('status', () => this.#client.close());
  }

  #giveUp(): void {
    this.#stream.cancel();
    this.#lost(new Error('the server did not accept the stream in time'));
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
    if (this.#isOver) return;
    this.#writer.flush();
    if (this.#cancels.length + this.#credits.length > 0) this.#write([], undefined);
    this.#endIfDone();
  }

  #write(calls: LaneCall[], written: (() => void) | undefined): void {
    if (this.#isOver) return;
    // As late as possible: a call may have waited for the stream, or behind others.
    for (const call of calls) call.timeoutMs = this.#timeoutMs(call);
    const message = { calls, cancels: this.#cancels, credits: this.#credits };
    this.#cancels = [];
    this.#credits = [];
    this.#stream.write(message, written);
  }

  #timeoutMs({ id, method }: LaneCall): number {
    if (method === '') return 0;
    return Math.max(1, Math.ceil(this.#pending.get(id)?.remainingMs() ?? 0));
  }

  #endIfDone(): void {
    if (!this.#isRetired || this.#isOver || this.#pending.size > 0 || this.#cancels.length > 0) return;
    this.#over();
    this.#stream.end();
    this.#owner.ended(this, [], undefined);
  }

  #lost(error: unknown): void {
    if (this.#isOver) return;
    this.#over();
    const unsent = this.#writer.waitingIds();
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of lost) {
      call.stream = undefined;
      if (!unsent.has(call.item.id)) call.mayHaveArrived = true;
    }
    this.#owner.ended(this, lost, error);
  }

  #over(): void {
    this.#isOver = true;
    clearTimeout(this.#openTimer);
  }

  #receive(part: LaneReply): void {
    const call = this.#pending.get(part.id);
    const reply = call && this.#join(call, part);
    if (!call) this.#joiner.drop(part.id);
    if (!reply) return;
    if (reply.error) {
      call.fail(fromErrorDetail(reply.error));
      return;
    }
    if (reply.payload) {
      const units = this.#writer.splits ? replyUnits(reply.payload.length) : 1;
      call.reply(decodeMessage(call.method.output, reply.payload), units);
    }
    if (reply.end) call.end();
  }

  /** The whole reply, once its last part has arrived. */
  #join(call: PendingCall, part: LaneReply): LaneReply | undefined {
    try {
      return this.#joiner.join(part);
    } catch (error) {
      call.stop(toAppError(error));
      return undefined;
    }
  }
}

const CONTINUATION = { method: '', timeoutMs: 0, requestId: '', principal: new Uint8Array(0), traceparent: '' };
