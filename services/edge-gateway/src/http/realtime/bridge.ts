import type { Readable } from 'node:stream';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { OpenSessionRequestSchema, OpenSessionResponse } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { type AppError, type Audience, asAppError, errorForAudience, toOpenAiError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type ByteBudget, Channel, elapsed, newOrderedId } from '@tollgate/runtime';
import type { RawData, WebSocket } from 'ws';
import { clientLeft } from '../exchange/exchange.js';
import type { OpenSocket } from './realtime-sockets.js';

export type SessionRequest = MessageInitShape<typeof OpenSessionRequestSchema>;

/** Events of a client above this many bytes that inference has not taken stop the reading of its socket. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** Bytes of an event that has not arrived completely which are not counted: most events are smaller. */
const UNCOUNTED_BYTES = 64 * 1024;
const PING_MS = 20_000;
/** How long a client may take to close its side. */
const CLOSE_MS = 3_000;

const CLOSE = { unsupported: 1003, refused: 1008, failed: 1011, overloaded: 1013 } as const;

/** The events that a client sends, read by the call to inference no faster than inference takes it. */
export class Uplink {
  readonly items: Channel<SessionRequest>;
  /** Called when there is room for more. */
  onRoom: () => void = () => undefined;
  readonly #budget: ByteBudget;
  readonly #tenant: string;
  #unreadBytes = 0;
  /** Of the event that is arriving, and how much of it is counted. */
  #arrivedBytes = 0;
  #countedBytes = 0;
  #hasEnded = false;

  constructor(budget: ByteBudget, tenant: string) {
    this.#budget = budget;
    this.#tenant = tenant;
    this.items = new Channel<SessionRequest>(
      (bytes) => this.#taken(bytes),
      () => this.end(),
    );
  }

  get isFull(): boolean {
    return this.#unreadBytes > UNREAD_BYTES_MAX;
  }

  /** Counts bytes of an event that has not arrived completely. Returns false when the process holds too many bytes of clients. */
  arrived(bytes: number): boolean {
    if (this.#hasEnded) return true;
    this.#arrivedBytes += bytes;
    const uncounted = this.#arrivedBytes - UNCOUNTED_BYTES - this.#countedBytes;
    if (uncounted <= 0) return true;
    if (!this.#budget.take(this.#tenant, uncounted)) return false;
    this.#countedBytes += uncounted;
    return true;
  }

  /** Takes a complete event. Returns false when the process holds too many bytes of clients. */
  push(item: SessionRequest, bytes = 0): boolean {
    if (this.#hasEnded) return true;
    if (bytes > 0) this.#completed();
    if (bytes > 0 && !this.#budget.take(this.#tenant, bytes)) return false;
    this.#unreadBytes += bytes;
    this.items.push(item, bytes);
    return true;
  }

  /** Gives back what was not read. */
  end(): void {
    this.items.end();
    this.#taken(this.#unreadBytes);
    this.#completed();
    this.#hasEnded = true;
  }

  #completed(): void {
    if (this.#countedBytes > 0) this.#budget.giveBack(this.#tenant, this.#countedBytes);
    this.#arrivedBytes = 0;
    this.#countedBytes = 0;
  }

  #taken(bytes: number): void {
    if (bytes === 0 || this.#hasEnded) return;
    this.#unreadBytes -= bytes;
    this.#budget.giveBack(this.#tenant, bytes);
    if (!this.isFull) this.onRoom();
  }
}

export interface BridgeParts {
  socket: WebSocket;
  /** The connection below it. */
  connection: Readable;
  call: Call;
  uplink: Uplink;
  downlink: AsyncIterator<OpenSessionResponse>;
  principal: Principal;
  audience: Audience;
  /** Whether the credential has been revoked. */
  isRevoked(): boolean;
}

/** Carries events between a client's socket and its session in inference. */
export class RealtimeBridge implements OpenSocket {
  readonly #parts: BridgeParts;
  #isAlive = true;
  #pingedAt = elapsed();
  #isClosing = false;
  /** Bytes of events in either direction, for the log. */
  receivedBytes = 0;
  sentBytes = 0;
  error: AppError | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    const { socket, connection, uplink, call } = parts;
    uplink.onRoom = () => {
      if (socket.isPaused) socket.resume();
    };
    connection.on('data', (chunk: Buffer) => {
      if (!this.#isClosing && !uplink.arrived(chunk.length)) this.#overloaded();
    });
    socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // 'close' follows every error.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      call.abort(clientLeft());
      uplink.end();
    });
  }

  get principal(): Principal {
    return this.#parts.principal;
  }

  /** Sends what the session yields until it ends. Never rejects. */
  async run(): Promise<void> {
    const { downlink } = this.#parts;
    try {
      for (;;) {
        const { value, done } = await downlink.next();
        if (done) return this.#close(CLOSE.failed, 'the session has ended');
        if (value.item.case === 'closed') return this.#close(value.item.value.code, value.item.value.reason);
        if (value.item.case === 'event') await this.#send(value.item.value);
      }
    } catch (error) {
      await this.#fail(asAppError(error));
    } finally {
      await downlink.return?.();
    }
  }

  check(): void {
    const { socket } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    if (this.#parts.isRevoked()) {
      this.#close(CLOSE.refused, 'the credential was revoked');
      return;
    }
    if (elapsed() - this.#pingedAt < PING_MS) return;
    // A socket that is not read has its pongs unread, too.
    if (!this.#isAlive && !socket.isPaused) {
      socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#pingedAt = elapsed();
    socket.ping();
  }

  drain(): void {
    this.#parts.uplink.push({ item: { case: 'end', value: {} } });
  }

  terminate(): void {
    this.#parts.socket.terminate();
  }

  #received(data: RawData, isBinary: boolean): void {
    const { socket, uplink } = this.#parts;
    if (this.#isClosing) return;
    if (isBinary) {
      this.#close(CLOSE.unsupported, 'events are text');
      return;
    }
    const event = data as Buffer;
    this.receivedBytes += event.length;
    if (!uplink.push({ item: { case: 'event', value: event } }, event.length)) {
      this.#overloaded();
      return;
    }
    if (uplink.isFull) socket.pause();
  }

  /** Resolves when the event is on its way, so that a slow client stops its session. */
  #send(event: Uint8Array): Promise<void> {
    this.sentBytes += event.length;
    return new Promise((resolve) => {
      this.#parts.socket.send(event, { binary: false }, () => resolve());
    });
  }

  #overloaded(): void {
    this.#close(CLOSE.overloaded, 'too many events are waiting, try again later');
  }

  async #fail(error: AppError): Promise<void> {
    const { socket, audience } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    this.error = error;
    const shown = { ...toOpenAiError(errorForAudience(error, audience)), event_id: null };
    await this.#send(Buffer.from(JSON.stringify({ type: 'error', event_id: newOrderedId(), error: shown })));
    this.#close(CLOSE.failed, error.code);
  }

  #close(code: number, reason: string): void {
    const { socket } = this.#parts;
    if (this.#isClosing) return;
    this.#isClosing = true;
    socket.resume();
    socket.close(code, reason.slice(0, 120));
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }
}
