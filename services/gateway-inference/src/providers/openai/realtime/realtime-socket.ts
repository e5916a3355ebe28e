import { Channel } from '@tollgate/runtime';
import type { RawData, WebSocket } from 'ws';
import type { RealtimeConnection } from '../../contract/realtime-provider.js';

/** Unread events above this many bytes stop the reading of the socket. */
const UNREAD_BYTES_MAX = 256 * 1024;
const PING_MS = 20_000;
const CLOSE_MS = 2_000;

/** A WebSocket as a sequence of events, read no faster than they are taken. */
export class RealtimeSocket implements RealtimeConnection {
  readonly events: Channel<string>;
  readonly #socket: WebSocket;
  readonly #pings: NodeJS.Timeout;
  #unreadBytes = 0;
  #isAlive = true;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.events = new Channel<string>(
      (bytes) => this.#taken(bytes),
      () => this.close(),
    );
    socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // 'close' follows every error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(this.#pings);
      this.events.end();
    });
    this.#pings = setInterval(() => this.#ping(), PING_MS);
    this.#pings.unref();
  }

  send(event: string): Promise<void> {
    return new Promise((resolve) => {
      // A connection that fails ends the events; the sender need not know.
      this.#socket.send(event, () => resolve());
    });
  }

  close(): void {
    this.#socket.resume();
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_MS);
    timer.unref();
  }

  #received(data: RawData, isBinary: boolean): void {
    if (isBinary) return;
    const text = String(data);
    this.#unreadBytes += text.length;
    this.events.push(text, text.length);
    if (this.#unreadBytes > UNREAD_BYTES_MAX) this.#socket.pause();
  }

  #taken(bytes: number): void {
    this.#unreadBytes -= bytes;
    if (this.#unreadBytes <= UNREAD_BYTES_MAX / 2 && this.#socket.isPaused) this.#socket.resume();
  }

  #ping(): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    // Nothing is read while the reader is slow, pongs included.
    if (!this.#isAlive && !this.#socket.isPaused) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }
}
